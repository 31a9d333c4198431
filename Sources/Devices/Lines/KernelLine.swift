import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import CGPIO
import VirtualWire

/// A line of a kernel chip, through libgpiod.
final class KernelLine: Line {
  private let line: OpaquePointer
  private let request: LineRequest
  private let hasEdges: Bool
  let descriptor: Int32

  /// The number of edges that are read per turn; the kernel buffers 16 per line.
  private static let edgesPerTurnMax = 64

  var isReadable: Bool { hasEdges }
  var nextDeadline: Instant? { nil }

  init(_ request: LineRequest, label: String) throws(LineFault) {
    var failure = cgpio_failure()
    let line = KernelLine.claim(request.claim, label: label, &failure)
    guard let line else { throw KernelLine.explain(failure, request) }
    self.line = line
    self.request = request
    hasEdges = request.claim.use == .edges
    descriptor = cgpio_descriptor(line)
  }

  deinit {
    cgpio_release(line)
    FileDescriptor.closedElsewhere()
  }

  /// The level of the line after the claim.
  func opened() throws(LineFault) -> LineFact {
    let level = cgpio_get(line)
    guard level >= 0 else { throw lost(.current, "cannot be read") }
    return .opened(isActive: level == 1, isDebounced: cgpio_is_debounced(line) == 1)
  }

  // MARK: Orders

  func set(_ isActive: Bool, at now: Instant) -> [LineFact] {
    guard cgpio_set(line, isActive ? 1 : 0) == 0 else {
      return [.lost(lost(.current, "cannot be driven"))]
    }
    return read(at: now)
  }

  func read(at now: Instant) -> [LineFact] {
    let level = cgpio_get(line)
    guard level >= 0 else { return [.lost(lost(.current, "cannot be read"))] }
    return [.level(isActive: level == 1)]
  }

  // MARK: Inputs

  func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact] {
    var facts: [LineFact] = []
    for _ in 0..<KernelLine.edgesPerTurnMax where hasEdges {
      var nanoseconds: Int64 = 0
      var isActive: Int32 = 0
      let answer = cgpio_next_edge(line, &nanoseconds, &isActive)
      if answer < 0 { return facts + [.lost(lost(.current, "cannot be read"))] }
      if answer == 0 { break }
      facts.append(
        .edge(isActive: isActive == 1, at: EdgeClock.instant(ofStamp: nanoseconds, now: now)))
    }
    if !readiness.isDisjoint(with: [.hungUp, .failed]) {
      facts.append(.lost(LineFault(.gone, "\(request.inWords): the chip has gone")))
    }
    return facts
  }

  func deadlineReached(at now: Instant) -> [LineFact] { [] }

  // MARK: Failures

  private func lost(_ errno: Errno, _ what: String) -> LineFault {
    switch errno {
    case .noSuchDevice, .noSuchDeviceOrAddress:
      LineFault(.gone, "\(request.inWords): the chip has gone")
    default: LineFault(.failed, "\(request.inWords): \(what): \(errno)")
    }
  }

  private static func claim(
    _ claim: LineClaim, label: String, _ failure: inout cgpio_failure
  ) -> OpaquePointer? {
    label.withCString { label in
      claim.line.withCString { name in
        claim.consumer.withCString { consumer in
          var plain = cgpio_claim()
          plain.chip_label = label
          plain.line_name = name
          plain.consumer = consumer
          switch claim.use {
          case .input: plain.use = Int32(CGPIO_INPUT)
          case .edges: plain.use = Int32(CGPIO_EDGES)
          case .output(let isActive):
            plain.use = Int32(CGPIO_OUTPUT)
            plain.is_active = isActive ? 1 : 0
          }
          plain.is_active_low = claim.isActiveLow ? 1 : 0
          plain.bias = Int32(claim.bias.rawValue)
          plain.debounce_microseconds = claim.debounceMicroseconds
          return cgpio_open(&plain, &failure)
        }
      }
    }
  }

  private static func explain(_ failure: cgpio_failure, _ request: LineRequest) -> LineFault {
    let line = request.inWords
    var chipPath = failure.chip_path
    var holder = failure.holder
    let path = text(&chipPath)
    switch Int(failure.kind) {
    case Int(CGPIO_CHIP_MISSING):
      return LineFault(
        .chipMissing, "\(line): there is no chip of that label; gpiodetect shows those that are")
    case Int(CGPIO_LINE_MISSING):
      return LineFault(
        .lineMissing, "\(line): the chip has no line of that name; gpioinfo shows its lines")
    case Int(CGPIO_LINE_AMBIGUOUS):
      return LineFault(
        .lineMissing, "\(line): more than one line has that name; the daemon cannot choose one")
    case Int(CGPIO_BUSY):
      return LineFault(.busy, "\(line): held by \(LineHolder.inWords(text(&holder), chip: path))")
    case Int(CGPIO_NOT_PERMITTED):
      return LineFault(
        .notPermitted, "\(line): \(path) may not be opened; is the user in the group gpio?")
    default:
      return LineFault(.failed, "\(line): \(Errno(code: failure.code))")
    }
  }

  /// The text in a C array of characters.
  private static func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
