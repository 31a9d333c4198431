import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import VirtualWire

/// An LED of the kernel's class of LEDs, `/sys/class/leds/NAME`, as an output line.
///
/// The LED keeps its state when the program ends: neither the end of a program nor the release of this object changes
/// it. The files are described in the kernel's Documentation/ABI/testing/sysfs-class-led.
final class LEDLine: Line {
  /// The directory of the LED; it is never ready, so that a poll only waits.
  private let folder: FileDescriptor
  private let path: String
  private let request: LineRequest
  /// The text that the kernel takes for the greatest brightness.
  private let brightnessMax: String

  var descriptor: Int32 { folder.number }
  var isReadable: Bool { false }
  var nextDeadline: Instant? { nil }

  init(_ request: LineRequest, directory: String) throws(LineFault) {
    let path = directory + "/" + request.claim.line
    self.path = path
    self.request = request
    do throws(SystemError) {
      folder = try LEDLine.open(path, O_RDONLY | O_DIRECTORY)
      brightnessMax = try LEDLine.text(of: path + "/max_brightness")
      // An LED that cannot be driven is reported before it is needed.
      _ = try LEDLine.open(path + "/brightness", O_WRONLY)
    } catch {
      throw LEDLine.fault(error, request, isClaimed: false)
    }
  }

  /// The state of the LED, which this call does not change.
  func opened() throws(LineFault) -> LineFact {
    do throws(SystemError) {
      return .opened(isActive: try isLit(), isDebounced: false)
    } catch {
      throw LEDLine.fault(error, request, isClaimed: true)
    }
  }

  // MARK: Orders

  func set(_ isActive: Bool, at now: Instant) -> [LineFact] {
    do throws(SystemError) {
      try removeTrigger()
      try write(isActive ? brightnessMax : "0", to: "brightness")
    } catch {
      return [.lost(LEDLine.fault(error, request, isClaimed: true))]
    }
    return read(at: now)
  }

  func read(at now: Instant) -> [LineFact] {
    do throws(SystemError) {
      return [.level(isActive: try isLit())]
    } catch {
      return [.lost(LEDLine.fault(error, request, isClaimed: true))]
    }
  }

  func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact] {
    // Only a directory whose device has gone reports an error.
    readiness.isDisjoint(with: [.hungUp, .failed])
      ? [] : [.lost(LineFault(.gone, "\(request.inWords): the LED has gone"))]
  }

  func deadlineReached(at now: Instant) -> [LineFact] { [] }

  // MARK: Files

  private func isLit() throws(SystemError) -> Bool {
    try LEDLine.text(of: path + "/brightness") != "0"
  }

  /// Ends the kernel's own use of the LED, such as a heartbeat.
  ///
  /// Writing the trigger may turn the LED off, so it is written only if it is not `none` already.
  private func removeTrigger() throws(SystemError) {
    let triggers: String
    do throws(SystemError) {
      triggers = try LEDLine.text(of: path + "/trigger")
    } catch {
      // A kernel without triggers has no such file.
      if error.errno == .noSuchFile, Files.exists(path) { return }
      throw error
    }
    let isNone = triggers.split(whereSeparator: \.isWhitespace).contains("[none]")
    if !isNone { try write("none", to: "trigger") }
  }

  private func write(_ text: String, to name: String) throws(SystemError) {
    let path = path + "/" + name
    let file = try LEDLine.open(path, O_WRONLY | O_TRUNC)
    do throws(Errno) {
      try file.writeAll(Array("\(text)\n".utf8))
    } catch {
      throw SystemError(error, path)
    }
  }

  private static func text(of path: String) throws(SystemError) -> String {
    String(decoding: try Files.read(path).prefix { $0 != 10 }, as: UTF8.self)
  }

  private static func open(_ path: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor.open(path, flags)
    } catch {
      throw SystemError(error, path)
    }
  }

  // MARK: Failures

  private static func fault(
    _ error: SystemError, _ request: LineRequest, isClaimed: Bool
  ) -> LineFault {
    let led = request.inWords
    switch error.errno {
    case .accessDenied, .notPermitted, .readOnly:
      return LineFault(
        .notPermitted, "\(led): \(error); is the user in the group gpio?")
    case .noSuchFile, .noSuchDevice, .notADirectory:
      return isClaimed
        ? LineFault(.gone, "\(led): the LED has gone")
        : LineFault(
          .lineMissing,
          "\(led): there is no such LED; 'ls \(LineRequest.ledDirectory)' shows the LEDs")
    default: return LineFault(.failed, "\(led): \(error)")
    }
  }
}
