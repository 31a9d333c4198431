import BinnacleBasics
import BinnacleModel
import StateLog

/// The bytes of an event in a trace: a tag, then its fields in order. Tags are never given another meaning.
extension Event {
  private enum Tag: UInt8 {
    case started = 1
    case wallClockRead = 2
    case receiverOpened = 3
    case receiverOpenFailed = 4
    case receiverBytesArrived = 5
    case receiverDrained = 6
    case receiverSpeedChanged = 7
    case receiverSpeedRefused = 8
    case receiverLost = 9
    case clientConnected = 10
    case clientDisconnected = 11
    case updatesOpened = 12
    case updatesClosed = 13
    case statusRequested = 14
    case deadlineReached = 15
    case lineOpened = 16
    case lineEdge = 17
    case lineRead = 18
    case lineLost = 19
    case accelerometer = 24
    case stateRead = 28
    case committed = 29
    case commitFailed = 30
    case wallClockReadWithin = 32
    case stopRequested = 33
    case clientOfAppConnected = 25
    case servicesRequested = 34
    case defaultsRequested = 36
    case defaultsSet = 37
    case stateWished = 44
    case appsRead = 38
    case track = 48
  }

  /// Appends the event's bytes.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .started: writer.u8(Tag.started.rawValue)
    case .wallClockRead(let time, let within):
      writer.u8((within == nil ? Tag.wallClockRead : .wallClockReadWithin).rawValue)
      writer.put(time)
      if let within { writer.i64(within.nanoseconds) }
    case .receiverOpened(let port):
      writer.u8(Tag.receiverOpened.rawValue)
      writer.u8(port.kind.rawValue)
      if port.kind.isBus { writer.u8(port.address) } else { writer.i64(Int64(port.speed)) }
    case .receiverOpenFailed(let fault):
      writer.u8(Tag.receiverOpenFailed.rawValue)
      writer.put(fault)
    case .receiverBytesArrived(let bytes):
      writer.u8(Tag.receiverBytesArrived.rawValue)
      writer.counted(bytes)
    case .receiverDrained: writer.u8(Tag.receiverDrained.rawValue)
    case .receiverSpeedChanged(let speed):
      writer.u8(Tag.receiverSpeedChanged.rawValue)
      writer.i64(Int64(speed))
    case .receiverSpeedRefused(let speed):
      writer.u8(Tag.receiverSpeedRefused.rawValue)
      writer.i64(Int64(speed))
    case .receiverLost(let fault):
      writer.u8(Tag.receiverLost.rawValue)
      writer.put(fault)
    case .clientConnected, .clientDisconnected, .updatesOpened, .updatesClosed, .statusRequested,
      .servicesRequested, .stateWished:
      encodeOfClient(into: &writer)
    case .defaultsRequested, .defaultsSet, .appsRead: encodeOfDefaults(into: &writer)
    case .lineOpened, .lineEdge, .lineRead, .lineLost: encodeOfLine(into: &writer)
    case .deadlineReached: writer.u8(Tag.deadlineReached.rawValue)
    case .stateRead, .committed, .commitFailed, .stopRequested: encodeOfState(into: &writer)
    case .accelerometer(let news):
      writer.u8(Tag.accelerometer.rawValue)
      news.encode(into: &writer)
    case .track(let news):
      writer.u8(Tag.track.rawValue)
      news.encode(into: &writer)
    }
  }

  private func encodeOfClient(into writer: inout ByteWriter) {
    switch self {
    case .clientConnected(let client, let peer, let program):
      writer.u8(Tag.clientOfAppConnected.rawValue)
      writer.u32(client.number)
      writer.u32(peer.userID)
      writer.i32(peer.processID)
      writer.put(peer.app)
      writer.text(program)
    case .clientDisconnected(let client):
      writer.u8(Tag.clientDisconnected.rawValue)
      writer.u32(client.number)
    case .updatesOpened(let client, let sequence, let configuration):
      writer.u8(Tag.updatesOpened.rawValue)
      writer.u32(client.number)
      writer.u32(sequence.number)
      writer.u8(configuration.rawValue)
    case .updatesClosed(let client, let sequence):
      writer.u8(Tag.updatesClosed.rawValue)
      writer.u32(client.number)
      writer.u32(sequence.number)
    case .statusRequested(let client, let request):
      writer.u8(Tag.statusRequested.rawValue)
      writer.u32(client.number)
      writer.u32(request)
    case .servicesRequested(let client, let request, let isOn):
      writer.u8(Tag.servicesRequested.rawValue)
      writer.u32(client.number)
      writer.u32(request)
      writer.u8(isOn ? 1 : 0)
    case .stateWished(let client, let request, let wish):
      writer.u8(Tag.stateWished.rawValue)
      writer.u32(client.number)
      writer.u32(request)
      writer.put(wish)
    case .started, .wallClockRead, .receiverOpened, .receiverOpenFailed, .receiverBytesArrived,
      .receiverDrained, .receiverSpeedChanged, .receiverSpeedRefused, .receiverLost,
      .lineOpened, .lineEdge, .lineRead, .lineLost, .accelerometer, .track, .deadlineReached,
      .stateRead,
      .committed, .commitFailed, .stopRequested, .defaultsRequested, .defaultsSet, .appsRead:
      preconditionFailure("this event is not a client's")
    }
  }

  private func encodeOfState(into writer: inout ByteWriter) {
    switch self {
    case .stateRead(let reading):
      writer.u8(Tag.stateRead.rawValue)
      writer.put(reading)
    case .committed(let number, let receipt):
      writer.u8(Tag.committed.rawValue)
      writer.u32(number)
      writer.put(receipt)
    case .commitFailed(let number, let failure):
      writer.u8(Tag.commitFailed.rawValue)
      writer.u32(number)
      writer.put(failure)
    case .stopRequested: writer.u8(Tag.stopRequested.rawValue)
    case .started, .wallClockRead, .receiverOpened, .receiverOpenFailed, .receiverBytesArrived,
      .receiverDrained, .receiverSpeedChanged, .receiverSpeedRefused, .receiverLost,
      .clientConnected, .clientDisconnected, .updatesOpened, .updatesClosed, .statusRequested,
      .servicesRequested, .stateWished, .lineOpened, .lineEdge, .lineRead, .lineLost,
      .accelerometer, .track,
      .deadlineReached, .defaultsRequested, .defaultsSet, .appsRead:
      preconditionFailure("this event is not of the log of state")
    }
  }

  private func encodeOfLine(into writer: inout ByteWriter) {
    switch self {
    case .lineOpened(let line, let isActive, let isDebounced):
      writer.put(Tag.lineOpened.rawValue, line)
      writer.u8(isActive ? 1 : 0)
      writer.u8(isDebounced ? 1 : 0)
    case .lineEdge(let line, let isActive, let instant):
      writer.put(Tag.lineEdge.rawValue, line)
      writer.u8(isActive ? 1 : 0)
      writer.i64(instant.nanoseconds)
    case .lineRead(let line, let isActive):
      writer.put(Tag.lineRead.rawValue, line)
      writer.u8(isActive ? 1 : 0)
    case .lineLost(let line, let fault):
      writer.put(Tag.lineLost.rawValue, line)
      writer.u8(fault.kind.rawValue)
      writer.text(fault.text)
    case .started, .wallClockRead, .receiverOpened, .receiverOpenFailed, .receiverBytesArrived,
      .receiverDrained, .receiverSpeedChanged, .receiverSpeedRefused, .receiverLost,
      .clientConnected, .clientDisconnected, .updatesOpened, .updatesClosed, .statusRequested,
      .servicesRequested, .stateWished, .accelerometer, .track, .deadlineReached, .stateRead,
      .committed,
      .commitFailed,
      .stopRequested, .defaultsRequested, .defaultsSet, .appsRead:
      preconditionFailure("this event is not a line's")
    }
  }

  /// Reads one event off the front; nil when the bytes are none.
  init?(from reader: inout ByteReader) {
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .started: self = .started
    case .wallClockRead:
      guard let time = reader.time() else { return nil }
      self = .wallClockRead(time)
    case .wallClockReadWithin:
      guard let time = reader.time(), let within = reader.i64() else { return nil }
      self = .wallClockRead(time, within: Interval(nanoseconds: within))
    case .receiverOpened:
      guard let port = reader.port() else { return nil }
      self = .receiverOpened(port)
    case .receiverOpenFailed:
      guard let fault = reader.fault() else { return nil }
      self = .receiverOpenFailed(fault)
    case .receiverBytesArrived:
      guard let bytes = reader.counted() else { return nil }
      self = .receiverBytesArrived(bytes)
    case .receiverDrained: self = .receiverDrained
    case .receiverSpeedChanged:
      guard let speed = reader.speed() else { return nil }
      self = .receiverSpeedChanged(speed)
    case .receiverSpeedRefused:
      guard let speed = reader.speed() else { return nil }
      self = .receiverSpeedRefused(speed)
    case .receiverLost:
      guard let fault = reader.fault() else { return nil }
      self = .receiverLost(fault)
    case .clientConnected, .clientOfAppConnected, .clientDisconnected, .updatesOpened,
      .updatesClosed, .statusRequested, .servicesRequested, .stateWished:
      self.init(ofClient: tag, from: &reader)
    case .defaultsRequested, .defaultsSet, .appsRead:
      self.init(ofDefaults: tag.rawValue, from: &reader)
    case .lineOpened, .lineEdge, .lineRead, .lineLost: self.init(ofLine: tag, from: &reader)
    case .deadlineReached: self = .deadlineReached
    case .stateRead, .committed, .commitFailed, .stopRequested:
      self.init(ofState: tag, from: &reader)
    case .accelerometer:
      guard let news = AccelerometerNews(from: &reader) else { return nil }
      self = .accelerometer(news)
    case .track:
      guard let news = TrackNews(from: &reader) else { return nil }
      self = .track(news)
    }
  }

  private init?(ofClient tag: Tag, from reader: inout ByteReader) {
    guard let client = reader.u32().map(ClientID.init(number:)) else { return nil }
    switch tag {
    case .clientConnected:
      guard let userID = reader.u32(), let processID = reader.i32(), let program = reader.text()
      else { return nil }
      self = .clientConnected(
        client, Peer(userID: userID, processID: processID), program: program)
    case .clientOfAppConnected:
      guard let userID = reader.u32(), let processID = reader.i32(),
        let app = reader.app(userID: userID), let program = reader.text()
      else { return nil }
      let peer = Peer(userID: userID, processID: processID, app: app)
      self = .clientConnected(client, peer, program: program)
    case .clientDisconnected: self = .clientDisconnected(client)
    case .updatesOpened:
      guard let sequence = reader.u32().map(SequenceID.init(number:)),
        let configuration = reader.u8().flatMap(LiveConfiguration.init(rawValue:))
      else { return nil }
      self = .updatesOpened(client, sequence, configuration)
    case .updatesClosed:
      guard let sequence = reader.u32().map(SequenceID.init(number:)) else { return nil }
      self = .updatesClosed(client, sequence)
    case .statusRequested:
      guard let request = reader.u32() else { return nil }
      self = .statusRequested(client, request: request)
    case .servicesRequested:
      guard let request = reader.u32(), let isOn = reader.flag() else { return nil }
      self = .servicesRequested(client, request: request, isOn: isOn)
    case .stateWished:
      guard let request = reader.u32(), let wish = reader.stateWish() else { return nil }
      self = .stateWished(client, request: request, wish)
    case .started, .wallClockRead, .wallClockReadWithin, .receiverOpened, .receiverOpenFailed,
      .receiverBytesArrived,
      .receiverDrained, .receiverSpeedChanged, .receiverSpeedRefused, .receiverLost,
      .lineOpened, .lineEdge, .lineRead, .lineLost, .accelerometer, .track, .deadlineReached,
      .stateRead,
      .committed, .commitFailed, .stopRequested, .defaultsRequested, .defaultsSet, .appsRead:
      return nil
    }
  }

  private init?(ofState tag: Tag, from reader: inout ByteReader) {
    switch tag {
    case .stopRequested: self = .stopRequested
    case .stateRead:
      guard let reading = reader.stateReading() else { return nil }
      self = .stateRead(reading)
    case .committed:
      guard let number = reader.u32(), let receipt = reader.receipt() else { return nil }
      self = .committed(number, receipt)
    case .commitFailed:
      guard let number = reader.u32(), let failure = reader.commitFailure() else { return nil }
      self = .commitFailed(number, failure)
    case .started, .wallClockRead, .wallClockReadWithin, .receiverOpened, .receiverOpenFailed,
      .receiverBytesArrived,
      .receiverDrained, .receiverSpeedChanged, .receiverSpeedRefused, .receiverLost,
      .clientConnected, .clientOfAppConnected, .clientDisconnected, .updatesOpened, .updatesClosed,
      .statusRequested,
      .servicesRequested, .stateWished, .lineOpened, .lineEdge, .lineRead, .lineLost,
      .accelerometer, .track,
      .deadlineReached, .defaultsRequested, .defaultsSet, .appsRead:
      return nil
    }
  }

  private init?(ofLine tag: Tag, from reader: inout ByteReader) {
    guard let line = reader.line() else { return nil }
    if tag == .lineLost {
      guard let fault = reader.lineFault() else { return nil }
      self = .lineLost(line, fault)
      return
    }
    guard let isActive = reader.flag() else { return nil }
    if tag == .lineOpened {
      guard let isDebounced = reader.flag() else { return nil }
      self = .lineOpened(line, isActive: isActive, isDebounced: isDebounced)
    } else if tag == .lineEdge {
      guard let nanoseconds = reader.i64() else { return nil }
      self = .lineEdge(line, isActive: isActive, at: Instant(nanoseconds: nanoseconds))
    } else {
      self = .lineRead(line, isActive: isActive)
    }
  }
}

extension ByteWriter {
  mutating func put(_ time: UTCTime) {
    i64(time.secondsSince1970)
    i32(time.nanoseconds)
  }

  /// An app of a user that stands before it.
  fileprivate mutating func put(_ app: AppID) {
    switch app {
    case .unresolved: u8(0)
    case .unlisted(_, let executable):
      u8(1)
      text(executable)
    case .listed(let identifier):
      u8(2)
      text(identifier)
    }
  }

  fileprivate mutating func put(_ fault: Event.ReceiverFault) {
    u8(fault.kind.rawValue)
    text(fault.text)
  }
}

extension ByteReader {
  /// A time whose nanoseconds are less than a second.
  mutating func time() -> UTCTime? {
    guard let seconds = i64(), let nanoseconds = i32(), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    return UTCTime(secondsSince1970: seconds, nanoseconds: Int64(nanoseconds))
  }

  mutating func speed() -> Int? {
    i64().flatMap { Int(exactly: $0) }
  }

  fileprivate mutating func port() -> Event.ReceiverPort? {
    guard let kind = u8().flatMap(Event.ReceiverPort.Kind.init(rawValue:)) else { return nil }
    if kind.isBus { return u8().map { Event.ReceiverPort(kind: kind, address: $0) } }
    return speed().map { Event.ReceiverPort(kind: kind, speed: $0) }
  }

  fileprivate mutating func app(userID: UInt32) -> AppID? {
    switch u8() {
    case 0: .unresolved(userID: userID)
    case 1: text().map { .unlisted(userID: userID, executable: $0) }
    case 2: text().map { .listed($0) }
    default: nil
    }
  }

  fileprivate mutating func fault() -> Event.ReceiverFault? {
    guard let kind = u8().flatMap(Event.ReceiverFault.Kind.init(rawValue:)), let text = text()
    else { return nil }
    return Event.ReceiverFault(kind: kind, text: text)
  }
}
