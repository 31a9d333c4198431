import BinnaclePosix
import Simulation

/// `--chips lis3dh=0x18@GPIO17,adxl345`: the chips on the board's bus, and the lines of their interrupt outputs.
struct ChipList {
  let chips: [any SimulatedAccelerometer]
  let wires: [VirtualBus.Wire]

  init(_ text: String, seed: UInt64) throws {
    var chips: [any SimulatedAccelerometer] = []
    var wires: [VirtualBus.Wire] = []
    for item in text.split(separator: ",") {
      let halves = item.split(separator: "@", omittingEmptySubsequences: false)
      let words = halves[0].split(separator: "=", omittingEmptySubsequences: false)
      let address = words.count > 1 ? BusInstruction.byte(String(words[1])) : nil
      guard halves.count <= 2, words.count <= 2, halves.last?.isEmpty == false,
        words.count == 1 || address != nil, let model = SimulatedChip(rawValue: String(words[0]))
      else {
        throw Arguments.UsageError(
          "option '--chips': '\(item)' is not like NAME, NAME=0x18 or NAME=0x18@LINE, with a NAME of "
            + SimulatedChip.allCases.map(\.rawValue).joined(separator: ", "))
      }
      let chip = model.make(address: address, seed: seed)
      guard !chips.contains(where: { $0.address == chip.address }) else {
        throw Arguments.UsageError("option '--chips': two chips are at one address")
      }
      chips.append(chip)
      if halves.count == 2 {
        wires.append(VirtualBus.Wire(address: chip.address, line: String(halves[1])))
      }
    }
    self.chips = chips
    self.wires = wires
  }
}
