public import Accelerometers
public import BinnacleBasics
import BinnaclePosix
import Glibc
import Synchronization

/// An accelerometer that a driver of the kernel holds, read through the files of industrial I/O.
///
/// The files are those of the kernel's `Documentation/ABI/testing/sysfs-bus-iio`: `in_accel_x_raw` and its neighbors
/// times `in_accel_scale` are meters per second squared. Reading one is a transfer on the bus, so a thread of its own
/// does it; batches of half a second go to who polls the descriptor.
public final class IIOSource: Sendable {
  public enum Fact: Equatable, Sendable {
    case found(AccelerometerDescription)
    case samples(AccelerationBatch)
    /// The driver or the chip went away; nothing comes after this.
    case lost(AccelerometerFault)
  }

  /// Reading by files is for a look at how a board lies; a faster rate would cost more than it tells.
  static let rateMaxHz = 50
  private static let factsMax = 64
  private static let failuresMax = 5

  /// What lies between the thread and who reads.
  private final class Desk: Sendable {
    struct Inside {
      var facts: [Fact] = []
      var mode: AccelerometerMachine.Mode
      var isClosed = false
    }

    let inside: Mutex<Inside>
    let factEvent: EventFD
    /// Rung when the thread has something to look at.
    let threadEvent: EventFD

    init(_ mode: AccelerometerMachine.Mode) throws(Errno) {
      factEvent = try EventFD()
      threadEvent = try EventFD()
      inside = Mutex(Inside(mode: mode))
    }

    /// What is wanted; nil: nothing more.
    var mode: AccelerometerMachine.Mode? {
      inside.withLock { $0.isClosed ? nil : $0.mode }
    }

    func tell(_ fact: Fact) {
      inside.withLock { inside in
        if inside.facts.count >= IIOSource.factsMax { inside.facts.removeFirst() }
        inside.facts.append(fact)
      }
      factEvent.signal()
    }
  }

  private let desk: Desk

  /// Looks for a driver's device and starts to read it; nil when there is none.
  ///
  /// - Parameters:
  ///   - busPath: the bus that the chip is on, `/dev/i2c-N`.
  ///   - address: the only address that is meant.
  ///   - rateHz: samples a second that are wanted.
  ///   - mode: how much is read at first.
  ///   - root: where the file system begins, for tests.
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
    guard let desk = try? Desk(mode) else { return nil }
    self.desk = desk
    let rate = min(rateHz, IIOSource.rateMaxHz)
    do throws(Errno) {
      try WorkThread.start(name: "iio") { IIOSource.run(desk, device, rateHz: rate) }
    } catch {
      return nil
    }
  }

  deinit {
    desk.inside.withLock { $0.isClosed = true }
    desk.threadEvent.signal()
  }

  /// What to poll for reading.
  public var descriptor: Int32 { desk.factEvent.descriptor }

  public func setMode(_ mode: AccelerometerMachine.Mode) {
    desk.inside.withLock { $0.mode = mode }
    desk.threadEvent.signal()
  }

  /// Fetches what has come.
  public func facts() -> [Fact] {
    desk.factEvent.clear()
    return desk.inside.withLock { inside in
      defer { inside.facts = [] }
      return inside.facts
    }
  }

  // MARK: The thread

  private static func run(_ desk: Desk, _ device: IIODevice, rateHz: Int) {
    var poll = Poll()
    poll.set(desk.threadEvent.descriptor, .reading)
    var toldMode: AccelerometerMachine.Mode?
    var batch = IIOBatch(interval: Interval(nanoseconds: 1_000_000_000 / Int64(rateHz)))
    var failureCount = 0
    var dueAt = Clock.now
    while let mode = desk.mode {
      if mode != toldMode {
        desk.tell(.found(device.description(mode: mode, rateHz: rateHz)))
        toldMode = mode
        dueAt = Clock.now
      }
      if Clock.now >= dueAt {
        do throws(SystemError) {
          batch.append(try device.sample(), at: Clock.now)
          failureCount = 0
        } catch {
          failureCount += 1
          if failureCount >= failuresMax { return desk.tell(.lost(device.fault(error))) }
        }
        let isWhole = mode == .resting || batch.span >= .milliseconds(500)
        if isWhole, let whole = batch.finish(device) { desk.tell(.samples(whole)) }
        let isCalm = mode == .resting && failureCount == 0
        dueAt = isCalm ? Clock.now + .seconds(60) : max(dueAt + batch.interval, Clock.now)
      }
      if ((try? poll.wait(until: dueAt)) ?? 0) > 0 { desk.threadEvent.clear() }
    }
  }
}
