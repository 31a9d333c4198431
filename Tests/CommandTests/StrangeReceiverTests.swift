import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

/// The sentences of `binnacle status` and `binnacle doctor` for receivers that send and give no position.
struct StrangeReceiverTests {
  /// A kind of receiver, and words that tell it.
  private enum Kind: String, CaseIterable {
    case loopedRecording = "every one is rejected: their time does not advance"
    case correctionsOnly = "only corrections come (RTCM), which carry no position"
    case compressedFile = "a file comes that is compressed (gzip)"
    case trickle = "bytes came in 10 s and no whole message"
    case frozenClock = "all bear the same time, 120000.00: the receiver's clock stands still"

    /// The bytes that it sends in one second.
    func bytes(second: Int) -> [UInt8] {
      switch self {
      case .loopedRecording: epoch("12000\(second % 3).00")
      // The example of message 1005 in RTCM 10403.2, section 4.2.
      case .correctionsOnly:
        [
          0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD,
          0x62, 0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
        ]
      // A player starts the file anew every three seconds: bytes that come while the daemon opens the line are not read.
      case .compressedFile:
        (second % 3 == 0 ? [0x1F, 0x8B, 0x08, 0x00] : [])
          + (0..<400).map { UInt8(truncatingIfNeeded: $0 * 89 + second * 31) }
      case .trickle: Array("$GPR".utf8)
      case .frozenClock: epoch("120000.00")
      }
    }

    private func epoch(_ time: String) -> [UInt8] {
      sentence("GPRMC,\(time),A,4723.12345,N,00833.12345,E,0.1,,010626,,,A")
        + sentence("GPGGA,\(time),4723.12345,N,00833.12345,E,1,08,1.0,400.0,M,47.0,M,,")
    }

    private func sentence(_ text: String) -> [UInt8] {
      let digits = String(text.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return Array("$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
    }
  }

  /// A receiver on a pseudo-terminal, and the daemon that reads it.
  private final class Board {
    let kind: Kind
    private let line: PseudoTerminal
    private let daemon: RunningDaemon
    private var second = 0
    private var dueAt = Clock.now

    init(_ kind: Kind) throws {
      self.kind = kind
      line = try PseudoTerminal()
      daemon = try RunningDaemon(receiver: line.farEndName, directory: TemporaryDirectory())
    }

    /// Sends what is due.
    func play() throws {
      guard Clock.now >= dueAt, line.isFarEndOpen else { return }
      _ = try line.write(kind.bytes(second: second)[...])
      second += 1
      dueAt = dueAt + .seconds(1)
    }

    /// The sentence of a command for it.
    func output(of command: String) throws -> String {
      try ChildProcess.run(
        Programs.path("binnacle"),
        [command, "--json", "--runtime", daemon.runtimeDirectory]
          + (command == "doctor" ? ["--receiver", line.farEndName] : [])
      ).text
    }
  }

  @Test func statusAndDoctorReportTheReasonForMissingPositions() throws {
    let boards = try Kind.allCases.map { try Board($0) }
    var untold = boards
    var lookAt = Clock.now
    let allAreTold = try eventually {
      for board in boards { try board.play() }
      guard Clock.now >= lookAt else { return false }
      lookAt = Clock.now + .seconds(2)
      try untold.removeAll { try $0.output(of: "status").contains($0.kind.rawValue) }
      return untold.isEmpty
    }
    #expect(allAreTold, "not told: \(untold.map(\.kind))")
    for board in boards {
      let findings = try board.output(of: "doctor")
      #expect(findings.contains(board.kind.rawValue), "\(board.kind): \(findings)")
      for other in boards { try other.play() }
    }
  }
}
