import Accelerometers
import Simulation

/// An order line that an operator writes into the control FIFO of `binnacle-sim i2c`.
enum BusInstruction {
  case mishap(BusMishap.Kind, count: Int, address: UInt8?)
  case mishaps(BusMishap.Kind, share: Double)
  case stick(Bool)
  case report
  case unplug(UInt8)
  case plug(UInt8)
  case feel(UInt8, Acceleration)
  case identity(UInt8, UInt8?)
  case freeze(UInt8, axis: Int?)
  case stop(UInt8, Bool)
  case takeOneRead(Bool)

  /// The error in an order line.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    nak|lost|stretch|glitch COUNT [ADDRESS]   the next transfers go wrong
    nak|lost|stretch|glitch SHARE%            each one does, with this probability; 0% ends it
    stick, release                            a device holds the bus
    report                                    how many transfers there were, and how many went wrong
    unplug ADDRESS, plug ADDRESS
    feel ADDRESS X Y Z                        in g
    identity ADDRESS BYTE|own
    freeze ADDRESS x|y|z|none
    still ADDRESS, lively ADDRESS             it makes no samples
    one-read, any-reads                       what the adapter takes in a transfer
    """

  init(_ line: String) throws(Mistake) {
    let words = line.split(separator: " ").map(String.init)
    let wrong = Mistake(description: "'\(line)' is no order; these are:\n\(BusInstruction.usage)")
    guard let verb = words.first else { throw wrong }
    let rest = Array(words.dropFirst())
    if let kind = BusMishap.Kind(rawValue: verb) {
      guard let order = BusInstruction.mishap(kind, rest) else { throw wrong }
      self = order
      return
    }
    let address = rest.first.flatMap { BusInstruction.byte($0) }
    switch (verb, address, rest.count) {
    case ("stick", nil, 0): self = .stick(true)
    case ("release", nil, 0): self = .stick(false)
    case ("report", nil, 0): self = .report
    case ("one-read", nil, 0): self = .takeOneRead(true)
    case ("any-reads", nil, 0): self = .takeOneRead(false)
    case ("still", let address?, 1): self = .stop(address, true)
    case ("lively", let address?, 1): self = .stop(address, false)
    case ("unplug", let address?, 1): self = .unplug(address)
    case ("plug", let address?, 1): self = .plug(address)
    case ("feel", let address?, 4):
      let axes = rest.dropFirst().compactMap { Double($0) }
      guard axes.count == 3 else { throw wrong }
      self = .feel(address, Acceleration(x: axes[0], y: axes[1], z: axes[2]))
    case ("identity", let address?, 2):
      let byte = BusInstruction.byte(rest[1])
      guard byte != nil || rest[1] == "own" else { throw wrong }
      self = .identity(address, byte)
    case ("freeze", let address?, 2):
      guard let axis = ["x", "y", "z", "none"].firstIndex(of: rest[1]) else { throw wrong }
      self = .freeze(address, axis: axis < 3 ? axis : nil)
    default: throw wrong
    }
  }

  /// A number such as 0x53 or 83.
  static func byte(_ text: String) -> UInt8? {
    text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
  }

  private static func mishap(_ kind: BusMishap.Kind, _ words: [String]) -> BusInstruction? {
    if words.count == 1, words[0].hasSuffix("%") {
      guard let percent = Double(words[0].dropLast()), (0...100).contains(percent) else {
        return nil
      }
      return .mishaps(kind, share: percent / 100)
    }
    guard (1...2).contains(words.count), let count = Int(words[0]), count > 0 else { return nil }
    if words.count == 1 { return .mishap(kind, count: count, address: nil) }
    return byte(words[1]).map { .mishap(kind, count: count, address: $0) }
  }
}
