import BinnacleModel
import Board

/// The profile in effect, and its source, so that the daemon can read the profile again.
///
/// Only `[Location]` takes effect while the daemon runs: the other sections describe devices and directories that are in use.
struct ProfileInEffect: Sendable {
  private let arguments: DaemonArguments
  private let deviceTree: String
  private var profile: Profile
  /// The settings in effect, each with its source.
  private(set) var settings: [EffectiveSetting]

  /// The result of reading the profile again.
  enum Reading {
    /// The profile has a mistake, and the settings stay as they were.
    case wrong(String)
    /// `[Location]` of the profile, and the names of other sections that have changed since the daemon's start.
    case read(ConsentSettings, isChanged: Bool, waiting: [String])
  }

  /// - Parameters:
  ///   - profile: the profile that the daemon has started with.
  ///   - settings: its settings with their sources.
  ///   - arguments: the command line.
  ///   - deviceTree: the kernel's directory of the device tree.
  init(
    _ profile: Profile, _ settings: [EffectiveSetting], of arguments: DaemonArguments,
    deviceTree: String
  ) {
    self.profile = profile
    self.settings = StartPlan.settings(settings, overriddenBy: arguments)
    self.arguments = arguments
    self.deviceTree = deviceTree
  }

  mutating func readAgain() -> Reading {
    let (new, newSettings): (Profile, [EffectiveSetting])
    do throws(StartFailure) {
      let read = try StartPlan.profile(arguments, deviceTree)
      (new, newSettings) = (read.profile, read.settings)
    } catch {
      return .wrong(error.text)
    }
    let isChanged = new.consent != profile.consent
    profile.consent = new.consent
    let (name, fresh) = ("Location", newSettings.filter { $0.section == "Location" })
    let place = settings.firstIndex { $0.section == name } ?? settings.endIndex
    settings.removeAll { $0.section == name }
    settings.insert(contentsOf: fresh, at: place)
    return .read(
      new.consent, isChanged: isChanged, waiting: new.sections(differentFrom: profile))
  }
}
