import BinnacleBasics
import BinnacleModel
import LocationEngine
import TestSupport
import UBX

/// An engine on a line to a receiver that does as the test says: what it answers, takes and sends each second.
struct OddReceiver {
  /// The reaction to an order.
  enum Answer {
    case taken
    case refused
    case nothing
  }

  @Indirect var engine: Engine
  var now = Instant.zero
  var saysWhoItIs = true
  /// Whether it acknowledges orders and stays as it was.
  var ignoresOrders = false
  /// Whether it obeys orders that it does not answer.
  var obeysInSilence = false
  var answer: (UBXOrder) -> Answer = { _ in .taken }
  /// The messages of each second, by the last order for each message; sentences are on as delivered.
  var epoch: (OddReceiver) -> [UInt8] = { $0.sentences }
  var effects: [Effect] = []
  private(set) var values: [ConfigurationKey: UInt64] = [:]
  private var secondsOfDay = 43_200
  private var pending: [(at: Instant, bytes: [UInt8])] = []
  private var orders = StreamDecoder(publication: .whenEnded)

  typealias UBXOrder = Message

  static let client = ClientID(number: 1)

  init() {
    var configuration = Configuration()
    // The receiver rests for hours. Its updates must not pause, because the tests check them.
    configuration.motion.dwells.default = .seconds(86_400)
    engine = Engine(configuration: configuration, seed: 1)
  }

  /// Opens its device and a sequence of updates.
  mutating func open(_ kind: Event.ReceiverPort.Kind = .pseudoTerminal, speed: Int = 38_400) {
    handle(.started)
    handle(.receiver(.opened(.init(kind: kind, speed: speed))))
    handle(
      .client(
        OddReceiver.client,
        .connected(Peer(userID: 0, processID: 1, isOperator: true), program: "test")))
    handle(.client(OddReceiver.client, .updatesOpened(SequenceID(number: 1), .default)))
  }

  // MARK: What it sends

  /// RMC, GGA and GSA of a good fix.
  var sentences: [UInt8] { OddReceiver.sentences(at: clock) }

  static func sentences(at time: String) -> [UInt8] {
    let rmc = "GPRMC,\(time),A,4723.9000,N,00827.0000,E,0.1,,211126,,,A"
    let gga = "GPGGA,\(time),4723.9000,N,00827.0000,E,1,09,0.9,400.0,M,47.0,M,,"
    let gsa = "GPGSA,A,3,02,05,07,13,15,18,20,26,29,,,,1.6,0.9,1.3"
    return [rmc, gga, gsa].flatMap(sentence)
  }

  var solution: [UInt8] {
    var message = NavPVT()
    message.iTOWMilliseconds = UInt32(secondsOfDay) * 1_000
    message.year = 2026
    message.month = 11
    message.day = 21
    (message.hour, message.minute, message.second) = (
      UInt8(secondsOfDay / 3_600), UInt8(secondsOfDay / 60 % 60), UInt8(secondsOfDay % 60)
    )
    return message.frame
  }

  private var clock: String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return two(secondsOfDay / 3_600) + two(secondsOfDay / 60 % 60) + two(secondsOfDay % 60) + ".00"
  }

  private static func sentence(_ text: String) -> [UInt8] {
    let sum = text.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(text)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }

  // MARK: Orders of a test

  mutating func run(seconds: Int) {
    for step in 1...seconds * 100 {
      now += .milliseconds(10)
      while let due = engine.nextDeadline, due <= now {
        let before = engine.nextDeadline
        handle(.deadlineReached)
        if engine.nextDeadline == before { break }
      }
      while let first = pending.first, first.at <= now {
        pending.removeFirst()
        handle(.receiver(.bytesArrived(first.bytes)))
      }
      if step % 100 == 0 {
        secondsOfDay += 1
        let bytes = epoch(self)
        if !bytes.isEmpty { handle(.receiver(.bytesArrived(bytes))) }
      }
    }
  }

  // MARK: What was seen

  var lines: [String] {
    effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
  }

  var fixes: [Fix] {
    effects.compactMap {
      if case .client(_, .deliver(_, let update)) = $0 { update.fix } else { nil }
    }
  }

  /// The number of polls of the receiver's identity.
  var questionCount: Int {
    effects.count {
      guard case .receiver(.write(let bytes)) = $0 else { return false }
      return Array(bytes.suffix(8)) == Poll(MonVER.self).frame
    }
  }

  /// nil when `status` does not say it.
  mutating func askedNextInSeconds() -> Double? {
    guard case .number(let seconds) = report()["receiver.asked_next_in_s"] else { return nil }
    return seconds
  }

  mutating func report() -> Report {
    handle(.client(OddReceiver.client, .requested(1, .status)))
    for case .client(_, .report(_, let report)) in effects.reversed() { return report }
    return Report()
  }

  // MARK: The machinery

  mutating func handle(_ event: Event) {
    var answers: [Effect] = []
    engine.handle(event, at: now, into: &answers)
    effects += answers
    for effect in answers {
      switch effect {
      case .receiver(.write(let bytes)): hear(bytes)
      case .receiver(.setSpeed(let speed)): handle(.receiver(.speedChanged(speed)))
      case .receiver, .client, .line, .watchAccelerometer, .storage, .track, .launcher, .log:
        continue
      }
    }
  }

  private mutating func hear(_ bytes: [UInt8]) {
    orders.append(bytes)
    while let reception = orders.next() {
      guard case .message(let message) = reception else { continue }
      if case .poll(let poll) = message, poll.messageClass == MonVER.messageClass {
        guard saysWhoItIs else { continue }
        let version = MonVER(
          softwareVersion: "ROM SPG 5.10", hardwareVersion: "000A0000",
          extensions: ["PROTVER=34.10", "MOD=ODD-1"])
        say(version.frame)
      } else {
        reply(to: message)
      }
    }
  }

  private mutating func reply(to message: Message) {
    let command: (UInt8, UInt8)
    var said: [UInt8] = []
    switch message {
    case .cfgVALSET(let order):
      command = (CfgVALSET.messageClass, CfgVALSET.messageID)
      let isTaken = if case .taken = answer(message) { true } else { obeysInSilence }
      if isTaken, !ignoresOrders {
        for item in order.items { values[item.key] = item.value }
      }
    case .cfgVALGETPoll(let poll):
      command = (CfgVALGET.messageClass, CfgVALGET.messageID)
      let items = poll.keys.map { ConfigurationItem($0, values[$0] ?? 0) }
      said = CfgVALGET(layer: .ram, items: items).frame
    case _: return
    }
    switch answer(message) {
    case .taken:
      say(said + AckACK(commandClass: command.0, commandID: command.1).frame)
    case .refused: say(AckNAK(commandClass: command.0, commandID: command.1).frame)
    case .nothing: return
    }
  }

  private mutating func say(_ bytes: [UInt8]) {
    pending.append((now + .milliseconds(20), bytes))
  }
}
