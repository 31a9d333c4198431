import BinnacleBasics
import BinnaclePosix
import Glibc
import I2C
import Simulation

/// Serves a whole bus: offers of the adapter in, answers out, and orders about faults.
final class AdapterServer {
  private var bus: SimulatedI2CBus
  private var mishap: BusMishap
  private var interrupts: [InterruptWire]
  /// The wire to the receiver's pin EXTINT.
  private var wire: PinWire?
  private let adapter: FileDescriptor
  private let adapterPath: String
  private let control: ControlPipe?
  private let signals: Signals
  private var transferCount = 0
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: AdapterOffer.bytesMax)

  /// The interval at which the server checks the chips' interrupt outputs; a chip's FIFO fills by itself.
  ///
  /// No simulated line of the kernel follows faster than this interval.
  private static let pollPeriod = Interval.milliseconds(20)
  private static let staleAnswer = Errno(code: ESTALE)

  init(
    _ bus: SimulatedI2CBus, adapter path: String, control controlPath: String?,
    interrupts: [InterruptWire], wire: PinWire?, seed: UInt64
  ) throws {
    self.bus = bus
    self.interrupts = interrupts
    self.wire = wire
    mishap = BusMishap(seed: seed)
    adapterPath = path
    signals = try Signals([.interrupt, .terminate, .hangUp])
    do {
      adapter = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    } catch {
      throw SystemError(error, path)
    }
    control = try controlPath.map { try ControlPipe($0) }
    for chip in bus.accelerometers { self.bus.plug(chip.address, at: Clock.now) }
  }

  /// Serves until a signal requests the end.
  func run() throws {
    poll.set(signals.descriptor, .reading)
    poll.set(adapter.number, .reading)
    if let control { poll.set(control.descriptor, .reading) }
    while true {
      let hasWires = !interrupts.isEmpty || wire != nil
      try poll.wait(until: hasWires ? Clock.now + AdapterServer.pollPeriod : nil)
      if signals.next() != nil { return }
      // Orders come first, so that they apply to all later transfers.
      if wire?.sawEdge() == true { bus.interruptEdgeCame(at: Clock.now) }
      try obey()
      try serve()
      try followInterrupts()
    }
  }

  // MARK: Transfers

  private func serve() throws {
    while let count = try? adapter.read(into: &buffer), count > 0 {
      guard let offer = AdapterOffer(decoding: Array(buffer[..<count])) else {
        throw SystemError(.invalidArgument, "\(adapterPath): what it offers is no transfer")
      }
      guard let result = result(of: offer) else { continue }
      do {
        _ = try adapter.write(offer.answer(result)[...])
      } catch {
        // The adapter has timed out.
        if error != AdapterServer.staleAnswer { throw SystemError(error, adapterPath) }
      }
    }
  }

  /// The result of a transfer; nil when the transfer never gets an answer.
  private func result(of offer: AdapterOffer) -> SimulatedI2CBus.Result? {
    transferCount += 1
    guard let transfer = offer.transfer else {
      return .failure(errno: SimulatedI2CBus.notSupported)
    }
    switch mishap.course(of: transfer) {
    case .carryOut: return bus.carryOut(transfer, at: Clock.now)
    case .fail(let errno): return .failure(errno: errno)
    case .carryOutUnanswered:
      _ = bus.carryOut(transfer, at: Clock.now)
      return nil
    case .carryOutWithGlitch:
      guard case .answers(let answers) = bus.carryOut(transfer, at: Clock.now) else { return nil }
      return .answers(answers.map { $0.dropLast() + [($0.last ?? 0) ^ 0x10] })
    case .leaveUnanswered: return nil
    }
  }

  private func followInterrupts() throws {
    guard !interrupts.isEmpty else { return }
    bus.advance(to: Clock.now)
    for index in interrupts.indices {
      let chip = bus.accelerometers.first { $0.address == interrupts[index].address }
      try interrupts[index].follow(chip?.isInterruptRaised ?? false)
    }
  }

  // MARK: Orders

  private func obey() throws {
    for line in control?.lines() ?? [] {
      do {
        try carryOut(BusInstruction(line))
        try Output.say("done: \(line)")
      } catch let mistake as BusInstruction.Mistake {
        try Output.say("refused: \(mistake)")
      }
    }
  }

  private func carryOut(_ instruction: BusInstruction) throws {
    switch instruction {
    case .mishap(let kind, let count, let address): mishap.next(count, kind, address: address)
    case .mishaps(let kind, let share): mishap.always(kind, share: share)
    case .stick(let isStuck): mishap.isStuck = isStuck
    case .report:
      try Output.say("report: \(transferCount) transfers, \(mishap.count) of them went wrong")
    case .unplug(let address): bus.unplug(address)
    case .plug(let address): bus.plug(address, at: Clock.now)
    case .feel(let address, let acceleration):
      try change(address) { $0.masses.acceleration = acceleration }
    case .identity(let address, let byte): try change(address) { $0.falseIdentity = byte }
    case .stop(let address, let isDead): try change(address) { $0.masses.isDead = isDead }
    case .takeOneRead(let isOnly): bus.takesOneReadOnly = isOnly
    case .freeze(let address, let axis): try change(address) { $0.masses.frozenAxis = axis }
    }
  }

  private func change(
    _ address: UInt8, _ body: (inout any SimulatedAccelerometer) -> Void
  ) throws(BusInstruction.Mistake) {
    guard let index = bus.accelerometers.firstIndex(where: { $0.address == address }) else {
      throw BusInstruction.Mistake(description: "there is no chip at \(address)")
    }
    // The chips first make their samples up to now, with the conditions before the order.
    bus.advance(to: Clock.now)
    body(&bus.accelerometers[index])
  }
}
