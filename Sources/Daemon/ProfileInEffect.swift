import BinnacleModel
import Board

/// The profile in effect, and its source, so that the daemon can read the profile again.
///
/// Only `[Location]` takes effect while the daemon runs: the other sections describe devices and directories that are in use.
struct ProfileInEffect: Sendable {
  private let arguments: DaemonArguments
  private let deviceTree: String
  private var profile: Profile

  /// The result of reading the profile again.
  enum Reading {
    /// The profile has a mistake, and the settings stay as they were.
    case wrong(String)
    /// `[Location]` of the profile, and the names of other sections that have changed since the daemon's start.
    case read(ConsentSettings, isChanged: Bool, waiting: [String])
  }

  /// - Parameters:
  ///   - profile: the profile that the daemon has started with.
  ///   - arguments: the command line.
  ///   - deviceTree: the kernel's directory of the device tree.
  init(_ profile: Profile, of arguments: DaemonArguments, deviceTree: String) {
    self.profile = profile
    self.arguments = arguments
    self.deviceTree = deviceTree
  }

  mutating func readAgain() -> Reading {
    let new: Profile
    do throws(StartFailure) {
      new = try StartPlan.profile(arguments, deviceTree).profile
    } catch {
      return .wrong(error.text)
    }
    let isChanged = new.consent != profile.consent
    profile.consent = new.consent
    return .read(
      new.consent, isChanged: isChanged, waiting: new.sections(differentFrom: profile))
  }
}
