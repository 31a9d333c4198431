import BinnacleBasics
import I2C

/// How one chip is set up and read for one use.
struct ChipConfiguration: Equatable, Sendable {
  /// The use that the chip is set up for.
  enum Use: Equatable, Sendable {
    /// Every sample counts: they go through the FIFO.
    case streaming
    /// Rare single samples; the interrupt line, where there is one, signals movement.
    case resting
    /// As `resting`, and the least movement counts that the chip can tell from its own noise.
    case armed
  }

  /// Samples a second, as the chip really makes them.
  var rateHz: Double
  var rangeG: Int
  /// Standard deviation of one axis at rest, in g, by the chip's noise density and the bandwidth that is set.
  var noiseG: Double
  /// From whatever state to running.
  var steps: [RegisterStep]
  var layout: SampleLayout
  /// Where the latest sample is read; with a FIFO at work this takes it out of it.
  var sampleRegister: UInt8
  /// nil: there is none, or this use has it switched off.
  var fifo: FIFO?
  var interrupt = Interrupt.none
  /// Where a bank of registers is chosen, in chips that have several; data and identity are in bank 0.
  var bankRegister: UInt8?

  struct FIFO: Equatable, Sendable {
    var levelRegister: UInt8
    var levelBytes: Int
    var isBigEndian = false
    var mask: UInt32
    var unitBytes: Int
    var dataRegister: UInt8
    var manner = I2CCountedRead.Manner.burst
    /// Samples that it holds.
    var capacity: Int
    var overrun: Overrun
    /// Whether the FIFO fills steadily, and a read beyond its samples is harmless: then samples that are certainly there may be
    /// read without reading the level first.
    var isSteady = false
    /// Whether an interrupted burst may leave the FIFO in the middle of a sample without a sign.
    var losesPlace = false
    /// The steps that repair the FIFO after an overrun and after a partial sample; empty when neither does harm.
    var restart: [RegisterStep] = []

    /// The sign that samples were lost.
    enum Overrun: Equatable, Sendable {
      case flag(UInt32)
      case levelAtLeast(UInt32)
    }
  }

  /// The reason for which the chip raises its interrupt output.
  enum Interrupt: Equatable, Sendable {
    case none
    /// The FIFO has so many samples.
    case watermark(samples: Int)
    /// The board moves; these steps clear the interrupt and make the present position the new rest.
    case motion(acknowledge: [RegisterStep])
  }

  /// A register that must keep its written value; bits outside of the mask may change.
  struct LastingValue: Equatable, Sendable {
    /// The value that selects the register's bank; 0 in chips without banks.
    var bank: UInt8
    var register: UInt8
    var value: UInt8
    var mask: UInt8
  }

  /// The register values after the steps.
  var lastingValues: [LastingValue] {
    var last: [LastingValue] = []
    var bank: UInt8 = 0
    for case .write(let register, let value, let mask) in steps {
      if register == bankRegister {
        bank = value
        continue
      }
      last.removeAll { $0.register == register && $0.bank == bank }
      if mask != 0 {
        last.append(LastingValue(bank: bank, register: register, value: value, mask: mask))
      }
    }
    return last
  }

  /// Reads registers in a row in bank 0, whichever the chip is in.
  func reading(_ count: Int, from register: UInt8, of address: UInt8) -> I2CTransfer {
    let parts = bankRegister.map { [I2CTransfer.Part.write([$0, 0])] } ?? []
    return I2CTransfer(address: address, parts: parts + [.write([register]), .read(count)])
  }

  /// The steps at the beginning and end of an order that chooses banks: an earlier order may have broken off in another bank.
  func opening(at address: UInt8) -> [I2CTransfer] {
    bankRegister.map { [.write([0], to: $0, of: address)] } ?? []
  }

  /// Reads all lasting values in their order, from bank 0 back to bank 0.
  func lookingBack(at address: UInt8) -> [I2CTransfer] {
    var transfers: [I2CTransfer] = []
    var bank: UInt8 = 0
    for value in lastingValues {
      if value.bank != bank, let bankRegister {
        transfers.append(.write([value.bank], to: bankRegister, of: address))
        bank = value.bank
      }
      transfers.append(.read(1, from: value.register, of: address))
    }
    return bank == 0 ? transfers : transfers + opening(at: address)
  }

  /// Standard deviation of one axis at rest as samples show it: the sensor's noise, and the steps of the converter.
  var scatterG: Double {
    guard noiseG > 0 else { return 0 }
    return (noiseG * noiseG + layout.gPerCount * layout.gPerCount / 12).squareRoot()
  }

  /// Whether noise moves the last digit of a sound chip all the time.
  ///
  /// Where steps are coarser, a board at rest looks just like a stuck axis.
  var noiseShows: Bool { noiseG == 0 || noiseG >= layout.gPerCount / 4 }

  /// How long to wait between two bursts: a second at most, and no longer than an eighth of the FIFO stays free.
  ///
  /// A chip may be a tenth faster than its nominal rate, and the rest is for late readers.
  var burstPeriod: Interval {
    guard let fifo else { return .milliseconds(500) }
    let samples = Double(fifo.capacity) * 0.875
    return min(.seconds(1), .milliseconds(Int64(samples / rateHz * 1_000)))
  }

  /// How many bursts are told at once: as many as come in little more than a second.
  var burstsTogether: Int {
    let bursts = Interval.milliseconds(1_200).nanoseconds / burstPeriod.nanoseconds
    return min(max(1, Int(bursts)), I2COrder.toldTogetherMax)
  }
}

/// One step of setting a chip up.
enum RegisterStep: Equatable, Sendable {
  /// Write a register; the bits of the mask are read back and must be the same. A mask of 0 is for registers that
  /// change by themselves.
  case write(UInt8, UInt8, mask: UInt8)
  /// Read so many registers; the bytes are kept as an answer.
  case read(UInt8, count: Int)
  case wait(Interval)

  static func write(_ register: UInt8, _ value: UInt8) -> RegisterStep {
    .write(register, value, mask: 0xFF)
  }
}
