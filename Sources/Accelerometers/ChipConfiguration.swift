import BinnacleBasics
import I2C

/// The configuration of a chip for one use, and the way to read its samples.
struct ChipConfiguration: Equatable, Sendable {
  /// The use of the chip.
  enum Use: Equatable, Sendable {
    /// Each sample is read, through the FIFO.
    case streaming
    /// Single samples at a low rate; an interrupt line signals movement.
    case resting
    /// As `resting`, with the lowest threshold of movement above the chip's noise.
    case armed
  }

  /// The actual sampling rate in Hz.
  var rateHz: Double
  var rangeG: Int
  /// Standard deviation of one axis at rest, in g, by the chip's noise density and the selected bandwidth.
  var noiseG: Double
  /// The steps from any state to running.
  var steps: [RegisterStep]
  var layout: SampleLayout
  /// The register of the latest sample; a read removes the sample from an active FIFO.
  var sampleRegister: UInt8
  /// nil: the chip has none, or the FIFO is off for this use.
  var fifo: FIFO?
  var interrupt = Interrupt.none
  /// The register that selects a bank; nil: the chip has no banks.
  ///
  /// Data and identity are in bank 0.
  var bankRegister: UInt8?

  struct FIFO: Equatable, Sendable {
    var levelRegister: UInt8
    var levelBytes: Int
    var isBigEndian = false
    var mask: UInt32
    var unitBytes: Int
    var dataRegister: UInt8
    var manner = I2CCountedRead.Manner.burst
    /// The capacity in samples.
    var capacity: Int
    var overrun: Overrun
    /// Whether the FIFO fills steadily and a read beyond its samples is harmless.
    ///
    /// If so, samples that are certainly present may be read without reading the level first.
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

  /// The cause of the chip's interrupt.
  enum Interrupt: Equatable, Sendable {
    case none
    /// The FIFO has at least this many samples.
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

  /// Reads consecutive registers of bank 0, whichever bank is selected.
  func reading(_ count: Int, from register: UInt8, of address: UInt8) -> I2CTransfer {
    let parts = bankRegister.map { [I2CTransfer.Part.write([$0, 0])] } ?? []
    return I2CTransfer(address: address, parts: parts + [.write([register]), .read(count)])
  }

  /// The steps at the start and end of an order that selects banks: an earlier order may have ended in another bank.
  func opening(at address: UInt8) -> [I2CTransfer] {
    bankRegister.map { [.write([0], to: $0, of: address)] } ?? []
  }

  /// Reads all lasting values in order, starting and ending in bank 0.
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

  /// Standard deviation of one axis at rest in the samples: the sensor's noise and the quantization noise.
  var scatterG: Double {
    guard noiseG > 0 else { return 0 }
    return (noiseG * noiseG + layout.gPerCount * layout.gPerCount / 12).squareRoot()
  }

  /// Whether noise constantly changes the last digit of a sound chip.
  ///
  /// With coarser steps, a board at rest looks like a stuck axis.
  var noiseShows: Bool { noiseG == 0 || noiseG >= layout.gPerCount / 4 }

  /// The time between two bursts: at most a second, with an eighth of the FIFO free.
  ///
  /// A chip may be ten percent faster than its nominal rate. The remaining space is for late reads.
  var burstPeriod: Interval {
    guard let fifo else { return .milliseconds(500) }
    let samples = Double(fifo.capacity) * 0.875
    return min(.seconds(1), .milliseconds(Int64(samples / rateHz * 1_000)))
  }

  /// The number of bursts that are delivered together: the bursts of about a second.
  var burstsTogether: Int {
    let bursts = Interval.milliseconds(1_200).nanoseconds / burstPeriod.nanoseconds
    return min(max(1, Int(bursts)), I2COrder.outcomesPerDeliveryMax)
  }
}

/// One step of a configuration.
enum RegisterStep: Equatable, Sendable {
  /// Write a register; the bits of the mask are read back and compared.
  ///
  /// A mask of 0 is for registers that change by themselves.
  case write(UInt8, UInt8, mask: UInt8)
  /// Read this number of registers; the bytes become an answer.
  case read(UInt8, count: Int)
  case wait(Interval)

  static func write(_ register: UInt8, _ value: UInt8) -> RegisterStep {
    .write(register, value, mask: 0xFF)
  }
}
