import Basics
import I2C

/// How one chip is set up and read for one use.
struct Recipe: Equatable, Sendable {
  /// What the chip is set up for.
  enum Use: Equatable, Sendable {
    /// Every sample counts: they go through the FIFO.
    case streaming
    /// Now and then a look; movement comes by the interrupt line, where there is one.
    case resting
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
    /// What puts it right after an overrun; empty when nothing is wrong with it.
    var restart: [RegisterStep] = []

    /// How it shows that samples were lost.
    enum Overrun: Equatable, Sendable {
      case flag(UInt32)
      case levelAtLeast(UInt32)
    }
  }

  /// What the chip raises its interrupt output for.
  enum Interrupt: Equatable, Sendable {
    case none
    /// The FIFO has so many samples.
    case watermark(samples: Int)
    /// The board moves; these steps take it back and make how the board lies now the new rest.
    case motion(acknowledge: [RegisterStep])
  }

  /// Registers whose values must stay as they were written; bits outside of the mask may change.
  var lastingValues: [(register: UInt8, value: UInt8, mask: UInt8)] {
    var last: [(register: UInt8, value: UInt8, mask: UInt8)] = []
    for case .write(let register, let value, let mask) in steps {
      last.removeAll { $0.register == register }
      if mask != 0 { last.append((register, value, mask)) }
    }
    return last
  }

  /// How long to wait between two bursts: a second at most, and no longer than an eighth of the FIFO stays free.
  ///
  /// A chip may be a tenth faster than it says, and the rest is for who comes late.
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
  /// Read so many registers; the bytes are kept for who wants them.
  case read(UInt8, count: Int)
  case wait(Interval)

  static func write(_ register: UInt8, _ value: UInt8) -> RegisterStep {
    .write(register, value, mask: 0xFF)
  }
}
