import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim board`: a virtual board behind a `sim:PATH` socket.
struct BoardCommand {
  private let path: String
  private let lineNames: [String]
  private let parts: [VirtualPart]
  private let chips: ChipList
  private let body: SharedBody
  private let isCarried: Bool
  private let logPath: String?

  private static let chipsOfVirtualProfile = "lis3dh"

  init(_ arguments: Arguments) throws {
    guard let path = arguments.value("listen"), !path.isEmpty else {
      throw Arguments.UsageError("board needs --listen PATH")
    }
    self.path = path
    lineNames =
      arguments.value("lines").map { BoardCommand.list($0) } ?? VirtualLines.headerNames
    let hasParts = ["lines", "buttons", "lamps", "wires"].contains { arguments.has($0) }
    parts = hasParts ? try BoardCommand.parts(arguments) : VirtualPart.ofVirtualProfile
    let seed: UInt64 = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
    chips = try ChipList(
      arguments.value("chips") ?? (hasParts ? "" : BoardCommand.chipsOfVirtualProfile), seed: seed)
    body = try SharedBody(arguments, else: .still)
    isCarried = arguments.has("path")
    logPath = arguments.value("log")
    let wired = parts.flatMap(BoardCommand.lines) + chips.wires.map(\.line)
    for line in wired where !lineNames.contains(line) {
      throw Arguments.UsageError("a part is wired to '\(line)', which is no line of the board")
    }
  }

  func run() throws {
    var accelerometers = chips.chips
    if isCarried {
      let felt = body.felt(at: Instant(nanoseconds: Clock.monotonicNanoseconds))
      for index in accelerometers.indices { accelerometers[index].masses.carrier = felt }
    }
    let board = VirtualBoard(
      name: "binnacle-sim board", lines: VirtualLines(names: lineNames, parts: parts),
      bus: VirtualBus(SimulatedI2CBus(accelerometers: accelerometers), wires: chips.wires))
    let log = try logPath.map { try BoardLog(path: $0) }
    let server = try BoardServer(board, path: path, log: log)
    try Output.say(
      "board: \(lineNames.count) lines, \(parts.count) parts, \(chips.chips.count) chips, on \(path)"
    )
    try server.run()
  }

  // MARK: Arguments

  private static func parts(_ arguments: Arguments) throws -> [VirtualPart] {
    let buttons = try pairs("buttons", arguments).map { name, target in
      let isPressedHigh = target.hasSuffix(":high")
      return VirtualPart.button(
        name: name, line: isPressedHigh ? String(target.dropLast(5)) : target,
        isPressedHigh: isPressedHigh)
    }
    let lamps = try pairs("lamps", arguments).map { VirtualPart.lamp(name: $0.0, line: $0.1) }
    let wires = try pairs("wires", arguments).map { VirtualPart.wire(from: $0.0, to: $0.1) }
    return buttons + lamps + wires
  }

  /// Reads a list such as `A=B,C=D`.
  private static func pairs(_ name: String, _ arguments: Arguments) throws -> [(String, String)] {
    try list(arguments.value(name) ?? "").map { item in
      let words = item.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
        throw Arguments.UsageError("option '--\(name)': '\(item)' is not like NAME=LINE")
      }
      return (words[0], words[1])
    }
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map(String.init)
  }

  private static func lines(of part: VirtualPart) -> [String] {
    switch part {
    case .button(_, let line, _), .lamp(_, let line): [line]
    case .wire(let from, let to): [from, to]
    }
  }
}
