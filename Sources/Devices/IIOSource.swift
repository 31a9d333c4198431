public import Accelerometers
public import BinnacleBasics
import BinnaclePosix
import Glibc
import Synchronization

/// An accelerometer that a kernel driver has claimed, read through the files of industrial I/O.
///
/// The files are documented in the kernel's `Documentation/ABI/testing/sysfs-bus-iio`: `in_accel_x_raw` and the other
/// axes times `in_accel_scale` are meters per second squared. Reading a file causes a transfer on the bus, so a
/// separate thread reads the files. The reader that polls the descriptor gets batches of half a second.
public final class IIOSource: Sendable {
  public enum Fact: Equatable, Sendable {
    case found(AccelerometerDescription)
    case samples(AccelerationBatch)
    /// The driver or the chip was removed; no more events follow.
    case lost(AccelerometerFault)
  }

  /// Reading files is sufficient to check the orientation of a board; a faster rate would cost more than it is worth.
  static let rateMaxHz = 50
  private static let factsMax = 64
  private static let failuresMax = 5

  /// The samples and the mode between the thread and the reader.
  private final class Exchange: Sendable {
    struct Content {
      var facts: [Fact] = []
      var mode: AccelerometerMachine.Mode
      var isClosed = false
    }

    let content: Mutex<Content>
    let factEvent: EventFD
    /// Wakes the thread when the mode has changed or the source is closed.
    let threadEvent: EventFD

    init(_ mode: AccelerometerMachine.Mode) throws(Errno) {
      factEvent = try EventFD()
      threadEvent = try EventFD()
      content = Mutex(Content(mode: mode))
    }

    /// The mode of reading; nil when the source is closed.
    var mode: AccelerometerMachine.Mode? {
      content.withLock { $0.isClosed ? nil : $0.mode }
    }

    func deliver(_ fact: Fact) {
      content.withLock { content in
        if content.facts.count >= IIOSource.factsMax { content.facts.removeFirst() }
        content.facts.append(fact)
      }
      factEvent.signal()
    }
  }

  private let exchange: Exchange

  /// Finds a driver's device and starts to read it; nil if there is none.
  ///
  /// - Parameters:
  ///   - busPath: the bus of the chip, `/dev/i2c-N`.
  ///   - address: the chip's address; other addresses are ignored.
  ///   - rateHz: the requested rate in Hz.
  ///   - mode: the initial reading mode.
  ///   - root: the root of the file system, for tests.
  public convenience init?(
    busPath: String, address: UInt8?, rateHz: Int, mode: AccelerometerMachine.Mode,
    root: String = ""
  ) {
    let name = (try? Files.resolve(busPath)) ?? busPath
    guard let bus = name.split(separator: "/").last, bus.hasPrefix("i2c-"),
      let device = IIODevice.find(bus: String(bus.dropFirst(4)), address: address, root: root)
    else { return nil }
    self.init(device, rateHz: rateHz, mode: mode)
  }

  init?(_ device: IIODevice, rateHz: Int, mode: AccelerometerMachine.Mode) {
    guard let exchange = try? Exchange(mode) else { return nil }
    self.exchange = exchange
    let rate = min(rateHz, IIOSource.rateMaxHz)
    do throws(Errno) {
      try WorkThread.start(name: "iio") { IIOSource.run(exchange, device, rateHz: rate) }
    } catch {
      return nil
    }
  }

  deinit {
    exchange.content.withLock { $0.isClosed = true }
    exchange.threadEvent.signal()
  }

  /// The descriptor to poll for reading.
  public var descriptor: Int32 { exchange.factEvent.descriptor }

  public func setMode(_ mode: AccelerometerMachine.Mode) {
    exchange.content.withLock { $0.mode = mode }
    exchange.threadEvent.signal()
  }

  /// Takes the new batches and events.
  public func facts() -> [Fact] {
    exchange.factEvent.clear()
    return exchange.content.withLock { content in
      defer { content.facts = [] }
      return content.facts
    }
  }

  // MARK: The thread

  private static func run(_ exchange: Exchange, _ device: IIODevice, rateHz: Int) {
    var poll = Poll()
    poll.set(exchange.threadEvent.descriptor, .reading)
    var toldMode: AccelerometerMachine.Mode?
    var batch = IIOBatch(interval: Interval(nanoseconds: 1_000_000_000 / Int64(rateHz)))
    var failureCount = 0
    var dueAt = Clock.now
    while let mode = exchange.mode {
      if mode != toldMode {
        exchange.deliver(.found(device.description(mode: mode, rateHz: rateHz)))
        toldMode = mode
        dueAt = Clock.now
      }
      if Clock.now >= dueAt {
        do throws(SystemError) {
          batch.append(try device.sample(), at: Clock.now)
          failureCount = 0
        } catch {
          failureCount += 1
          if failureCount >= failuresMax { return exchange.deliver(.lost(device.fault(error))) }
        }
        let isWhole = mode == .resting || batch.span >= .milliseconds(500)
        if isWhole, let whole = batch.finish(device) { exchange.deliver(.samples(whole)) }
        let isCalm = mode == .resting && failureCount == 0
        dueAt = isCalm ? Clock.now + .seconds(60) : max(dueAt + batch.interval, Clock.now)
      }
      if ((try? poll.wait(until: dueAt)) ?? 0) > 0 { exchange.threadEvent.clear() }
    }
  }
}
