public import BinnacleBasics
public import BinnacleModel

extension Profile {
  /// `[Board]`: the board's name, and where its lines and its bus are.
  public struct Board: Equatable, Sendable {
    /// `Name`: the board's name for people.
    public var name: String?
    /// `Compatible`: strings of the device tree's `compatible` by which `--board auto` knows it
    /// (Devicetree Specification, 2.3.1).
    public var compatible: [String] = []
    /// `GPIO`: where the lines of this profile are; nil: it names none.
    public var lines: LineSource?
    /// `I2C`: the bus of the accelerometer and of a receiver that is not serial; nil: there is none.
    public var bus: BusSource?
    /// `ClockWithin`: how far the wall clock may be wrong when nothing disciplines it; nil: it is not believed then.
    public var clockWithin: Interval?
    /// `State`: where what is kept over power cuts is, a directory or a raw partition, which counts more than the command
    /// line's `--state`; nil: where that says.
    public var state: String?

    /// The directory of `State`.
    public var stateDirectory: String? { statePartition == nil ? state : nil }
    /// The partition of `State`.
    public var statePartition: String? { state.flatMap { $0.hasPrefix("/dev/") ? $0 : nil } }
  }

  /// Where lines are.
  public enum LineSource: Equatable, Sendable {
    /// A chip of the kernel, by its label.
    case chip(label: String)
    /// The socket of a simulated board.
    case simulated(path: String)
  }

  /// Where an I2C bus is.
  public enum BusSource: Equatable, Sendable {
    /// A device of the kernel such as /dev/i2c-1.
    case device(path: String)
    /// The socket of a simulated board.
    case simulated(path: String)
  }

  /// `[Accelerometer]`: the sensor that detects whether the board moves.
  public struct Accelerometer: Equatable, Sendable {
    /// `Chip`: which driver; `auto` tries all.
    public var chip = Chip.auto
    /// `Address`: where the chip is on the bus, 7 bit; nil: all addresses that its driver knows are looked at.
    public var address: UInt8?
    /// `Interrupt`: the name of the line that the chip's interrupt output is wired to; nil: it is polled.
    public var interrupt: String?
    /// `Range`: the largest acceleration that is measured, in g: 2, 4, 8 or 16; some chips end at 8.
    public var rangeG = 2
    /// `Rate`: samples a second.
    public var rateHz = 50

    public init() {}

    /// A driver of accelerometers.
    public enum Chip: String, CaseIterable, Sendable {
      case auto, mpu6050, lis3dh, adxl345, lsm6ds, lsm9ds1, mma845x, kx022, icm20948
    }
  }

  /// `[Indicator]`: the light that is lit while a program in the background gets the position.
  public struct Indicator: Equatable, Sendable {
    /// `Line`: the name of the line that the light hangs on; empty with `Class`.
    public var line: String
    /// `Class`: the name of the LED in the kernel's class of LEDs; nil: the light hangs on a line.
    public var ledName: String?
    /// `ActiveLow`: the light is lit when the line is low; with `Class` only the input of `Sense` is meant.
    public var isActiveLow = false
    /// `Sense`: the name of an input that is wired to the lamp; nil: there is none.
    public var sense: String?
    /// `Settling`: the time a lamp may take to follow an order, before `Sense` is compared.
    public var settling = Interval.milliseconds(50)

    public init(line: String) {
      self.line = line
    }
  }

  /// `[StatusLED]`: the light that shows the state of the receiver.
  public struct StatusLED: Equatable, Sendable {
    /// `Line`: the name of the line that the light hangs on.
    public var line: String
    /// `ActiveLow`: the light is lit when the line is low.
    public var isActiveLow = false
    /// `SlowBlink`: lit so long and dark so long while the receiver is searching.
    public var slowBlink = Interval.seconds(1)
    /// `FastBlink`: lit so long and dark so long while something is wrong.
    public var fastBlink = Interval.milliseconds(125)

    public init(line: String) {
      self.line = line
    }
  }

  /// `[Button NAME]`: a button.
  public struct Button: Equatable, Sendable {
    /// The word behind `Button` in the section's name.
    public var name: String
    /// `Line`: the name of the line that the button hangs on.
    public var line: String
    /// `ActiveLow`: pressed pulls the line to ground.
    public var isActiveLow = true
    /// `Bias`: the level that an open line is held at.
    public var bias = Bias.pullUp
    /// `Debounce`: a level counts when it has stayed this long.
    public var debounce = Interval.milliseconds(10)
    /// The actions of its gestures, from the keys `Short`, `Long` and `Double`.
    ///
    /// With an action for a double press a short press acts after `DoubleWindow`.
    public var actions: ButtonActions

    /// The processor's pull of an undriven line.
    public enum Bias: String, CaseIterable, Sendable {
      case pullUp = "pull-up"
      case pullDown = "pull-down"
      /// Neither: the circuit has a resistor of its own.
      case none
      /// As firmware or device tree have left it.
      case asIs = "as-is"
    }

    public init(name: String, line: String) {
      self.name = name
      self.line = line
      actions = ButtonActions(defaultsFor: name)
    }
  }

  /// `[Buttons]`: how long a press is.
  public struct ButtonTiming: Equatable, Sendable {
    /// `LongPress`: still held after this long is a long press.
    public var longPress = Interval.seconds(2)
    /// `ShortMax`: a press that is released earlier is short.
    public var shortMax = Interval.milliseconds(800)
    /// `DoubleWindow`: a second press within this long makes a double press.
    public var doubleWindow = Interval.milliseconds(400)
  }
}
