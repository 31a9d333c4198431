import Accelerometers
import BinnacleBasics
import BinnacleModel
import LocationEngine
import UBX

/// An engine gets epochs of any content, clocks that jump and impossible samples, and delivers only possible locations.
///
/// The input is a list of messages and events. Each message is framed as by a receiver, so that its checksum is right.
func fuzzEngine(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes)
  var line = HostileLine(settings: reader.u8() ?? 0)
  while let kind = reader.u8(), let size = reader.u8() {
    let body = reader.take(min(Int(size), reader.remaining)) ?? []
    line.take(kind, body)
  }
}

private struct HostileLine {
  private var engine: Engine
  private var now = Instant.zero
  private var effects: [Effect] = []
  private let client = ClientID(number: 1)
  private var requestCount: UInt32 = 0

  init(settings: UInt8) {
    var configuration = Configuration()
    configuration.hasAccelerometer = settings & 1 != 0
    configuration.motion.dwells.default = settings & 2 != 0 ? .seconds(1) : .seconds(60)
    configuration.track =
      settings & 4 != 0
      ? TrackSettings(accuracy: .full, period: .milliseconds(100), daysKept: 1) : nil
    engine = Engine(configuration: configuration, seed: 1)
    handle(.storage(.read(StateReading())))
    handle(.started)
    handle(
      .receiver(
        .opened(
          settings & 8 != 0
            ? .init(kind: .i2c, address: 0x42) : .init(kind: .pseudoTerminal, speed: 9_600))))
    handle(
      .client(client, .connected(Peer(userID: 0, processID: 1, isOperator: true), program: "f")))
    handle(.client(client, .updatesOpened(SequenceID(number: 1), .default)))
  }

  mutating func take(_ kind: UInt8, _ body: [UInt8]) {
    var reader = ByteReader(body)
    switch kind & 15 {
    case 0, 1, 2, 3, 4, 5:
      let ids: [UInt8] = [
        NavPVT.messageID, NavSOL.messageID, NavPOSLLH.messageID, NavVELNED.messageID,
        NavTIMEUTC.messageID, NavSTATUS.messageID,
      ]
      hear(UBXFrame.encode(messageClass: 1, id: ids[Int(kind & 15)], payload: body))
    case 6:
      hear(
        UBXFrame.encode(messageClass: body.first ?? 1, id: kind, payload: Array(body.dropFirst())))
    case 7, 8:
      let names = ["GPRMC,", "GPGGA,", "GPGSA,", "GNGST,", "GPGLL,", "GPZDA,", "PUBX,00,", "GN"]
      let name = names[Int(kind >> 4) & 7]
      hear(NMEASentence(text: name + String(decoding: body, as: UTF8.self)).frame)
    case 9: hear(body)
    case 10:
      let version = MonVER(
        softwareVersion: "ROM", hardwareVersion: kind & 0x10 == 0 ? "000A0000" : "00040007",
        extensions: ["PROTVER=\(body.first ?? 0).\(body.last ?? 0)"])
      hear(version.frame)
    case 11:
      // A clock may report any time that a board's clock can have.
      let seconds = Int64(reader.u32() ?? 0) * (kind & 0x10 == 0 ? 1 : 60)
      let within = reader.u32().map { Interval.milliseconds(Int64($0)) }
      handle(.wallClockRead(UTCTime(secondsSince1970: seconds), within: within))
    case 12:
      var counts: [Int16] = []
      while let count = reader.u16() { counts.append(Int16(bitPattern: count)) }
      counts.removeLast(counts.count % 3)
      let scales = [0.001, 0, -1, 1e300, .infinity, .nan, 1e-300, 0.06]
      handle(
        .accelerometer(
          .samples(
            AccelerationBatch(
              first: now, interval: .milliseconds(Int64(kind >> 4)),
              gPerCount: scales[Int(kind >> 4) & 7], counts: counts))))
    case 13: pass(.milliseconds(Int64(reader.u16() ?? 1_000)))
    case 14: pass(.seconds(Int64(reader.u16() ?? 60)))
    case _:
      requestCount += 1
      handle(.client(client, .requested(requestCount, .status)))
      handle(.client(client, .requested(requestCount, .sky)))
      handle(.client(client, .skyWatched(requestCount % 3 != 0)))
      let kinds = LiveConfiguration.allCases
      let configuration = kinds[Int(kind >> 4) % kinds.count]
      let sequence = SequenceID(number: requestCount + 1)
      handle(.client(client, .buttonsWatched))
      handle(
        .client(
          client,
          .updatesOpened(
            sequence, configuration, SequenceOptions(rawValue: UInt8(requestCount % 4)))))
    }
    // An epoch each 200 ms, unless the input sets another time.
    pass(.milliseconds(200))
  }

  private mutating func hear(_ bytes: [UInt8]) { handle(.receiver(.bytesArrived(bytes))) }

  private mutating func pass(_ time: Interval) {
    let end = now + time
    for _ in 0..<32 {
      guard let due = engine.nextDeadline, due <= end else { break }
      now = max(now, due)
      handle(.deadlineReached)
    }
    now = end
  }

  private mutating func handle(_ event: Event) {
    effects.removeAll(keepingCapacity: true)
    engine.handle(event, at: now, into: &effects)
    var speed: Int?
    for effect in effects {
      switch effect {
      case .client(_, .deliver(_, let update)): if let fix = update.fix { check(fix) }
      case .receiver(.setSpeed(let wanted)): speed = wanted
      case _: break
      }
    }
    if let speed { handle(.receiver(.speedChanged(speed))) }
  }

  private func check(_ fix: Fix) {
    precondition(abs(fix.latitude) <= 90 && abs(fix.longitude) <= 180, "no such place")
    precondition(
      fix.horizontalAccuracy > 0 && fix.horizontalAccuracy.isFinite, "no such accuracy")
    precondition(fix.altitude.isFinite && fix.ellipsoidalAltitude.isFinite, "no such altitude")
    precondition(fix.speed.isFinite && fix.speed >= -1, "no such speed")
    precondition(fix.course >= -1 && fix.course < 360, "no such course")
  }
}
