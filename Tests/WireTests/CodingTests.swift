import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Testing

struct CodingTests {
  @Test(arguments: Samples.clientMessages)
  func aClientsMessageComesBack(message: ClientMessage) throws {
    #expect(try ClientMessage(decoding: message.encoded()) == message)
  }

  @Test(arguments: Samples.serverMessages)
  func aDaemonsMessageComesBack(message: ServerMessage) throws {
    #expect(try ServerMessage(decoding: message.encoded()) == message)
  }

  @Test(arguments: Samples.clientMessages)
  func everyTruncationOfAClientsMessageIsAnError(message: ClientMessage) {
    let packet = message.encoded()
    for count in 0..<packet.count {
      let expected: WireError = count == 0 ? .packetEmpty : .truncated(type: packet[0])
      #expect(
        outcome { () throws(WireError) in try ClientMessage(decoding: Array(packet[..<count])) }
          == .failure(expected))
    }
  }

  @Test(arguments: Samples.serverMessages)
  func everyTruncationOfADaemonsMessageIsAnError(message: ServerMessage) {
    let packet = message.encoded()
    for count in stride(from: 0, to: packet.count, by: packet.count > 1_000 ? 997 : 1) {
      let expected: WireError = count == 0 ? .packetEmpty : .truncated(type: packet[0])
      #expect(
        outcome { () throws(WireError) in try ServerMessage(decoding: Array(packet[..<count])) }
          == .failure(expected))
    }
  }

  @Test func aByteLeftOverIsAnError() {
    for message in Samples.clientMessages {
      let packet = message.encoded() + [0]
      #expect(
        outcome { () throws(WireError) in try ClientMessage(decoding: packet) }
          == .failure(.bytesLeftOver(type: packet[0], count: 1)))
    }
    for message in Samples.serverMessages {
      let packet = message.encoded() + [0]
      #expect(
        outcome { () throws(WireError) in try ServerMessage(decoding: packet) }
          == .failure(.bytesLeftOver(type: packet[0], count: 1)))
    }
  }

  @Test func anUnknownTypeIsAnErrorThatNamesIt() {
    let known = Array(1...9) + Array(16...19) + Array(32...62) as [UInt8]
    for type in UInt8.min...UInt8.max where !known.contains(type) {
      #expect(
        outcome { () throws(WireError) in try ClientMessage(decoding: [type, 0, 0]) }
          == .failure(.typeUnknown(type)))
    }
    for type in UInt8.min...UInt8.max where !(129...151).contains(type) {
      #expect(
        outcome { () throws(WireError) in try ServerMessage(decoding: [type, 0, 0]) }
          == .failure(.typeUnknown(type)))
    }
  }

  @Test func aPacketBeyondTheLimitIsNotDecoded() {
    let request = [UInt8](repeating: 4, count: 4_097)
    #expect(
      outcome { () throws(WireError) in try ClientMessage(decoding: request) }
        == .failure(.packetTooLong(count: 4_097)))
    let packet = [UInt8](repeating: 133, count: 65_537)
    #expect(
      outcome { () throws(WireError) in try ServerMessage(decoding: packet) }
        == .failure(.packetTooLong(count: 65_537)))
  }

  @Test func aHelloWithoutTheMagicIsInvalid() {
    var packet = Samples.clientMessages[0].encoded()
    packet[1] = 0
    #expect(
      outcome { () throws(WireError) in try ClientMessage(decoding: packet) }
        == .failure(.valueInvalid(type: 1, field: "magic")))
  }

  @Test func aLongNameIsCutAtACharacter() throws {
    let name = String(repeating: "\u{e9}", count: 33) + "x"
    let hello = ClientMessage.hello(.init(versionMin: 1, versionMax: 1, program: name))
    let cut = ClientMessage.hello(
      .init(versionMin: 1, versionMax: 1, program: String(repeating: "\u{e9}", count: 32)))
    #expect(try ClientMessage(decoding: hello.encoded()) == cut)
  }

  @Test func notANumberIsInvalid() {
    var fix = Samples.fix
    fix.altitude = .nan
    let packet = ServerMessage.update(SequenceID(number: 1), Update(fix: fix)).encoded()
    #expect(
      outcome { () throws(WireError) in try ServerMessage(decoding: packet) }
        == .failure(.valueInvalid(type: 131, field: "altitude")))
  }

  @Test func aSkyWithImpossibleValuesIsRefused() throws {
    let satellite = Satellite(
      constellation: .gps, number: 7, elevationDegrees: 45, azimuthDegrees: 180,
      carrierToNoiseDBHz: 40, isUsed: true, health: .healthy)
    let packet = ServerMessage.sky(request: 9, Sky(satellites: [satellite])).encoded()
    #expect(packet.count == 13 + 7)
    let hostile: [(offset: Int, bytes: [UInt8], field: String)] = [
      (5, [2], "hasTime"), (13, [8], "constellation"), (14, [0], "number"),
      (15, [91], "elevation"), (15, [0x80], "elevation"), (16, [0x69, 0x01], "azimuth"),
      (16, [0xFE, 0xFF], "azimuth"), (18, [255], "signal"), (19, [0x06], "flags"),
      (19, [0x80], "flags"),
    ]
    for (offset, bytes, field) in hostile {
      var damaged = packet
      damaged.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      #expect(
        outcome { () throws(WireError) in try ServerMessage(decoding: damaged) }
          == .failure(.valueInvalid(type: 139, field: field)), "\(field)")
    }
    var short = packet
    short[12] = 2
    #expect(
      outcome { () throws(WireError) in try ServerMessage(decoding: short) }
        == .failure(.truncated(type: 139)))
  }

  @Test func impossibleValuesAreWrittenAsUnknown() throws {
    let odd = Satellite(
      constellation: .gps, number: 0, elevationDegrees: 91, azimuthDegrees: -1,
      carrierToNoiseDBHz: 255)
    let sky = Sky(
      horizontalDilution: -1, verticalDilution: .infinity, positionDilution: .nan,
      satellites: [Satellite](repeating: odd, count: 300))
    let unknown = Satellite(constellation: .gps, number: nil)
    #expect(
      try ServerMessage(decoding: ServerMessage.sky(request: 1, sky).encoded())
        == .sky(
          request: 1, Sky(satellites: [Satellite](repeating: unknown, count: 255))))
  }

  @Test func aTruncatedReportCountsTheMissingItems() throws {
    var report = Report()
    for index in 0..<200 {
      report.add("item.\(index)", .text(String(repeating: "x", count: 1_000)))
    }
    let packet = ServerMessage.status(request: 1, report).encoded()
    #expect(packet.count <= WireLimits.packetSizeMax)
    guard case .status(_, let arrived) = try ServerMessage(decoding: packet) else {
      Issue.record("not a status")
      return
    }
    let kept = arrived.items.count - 1
    #expect(kept > 60)
    #expect(arrived["report.items_left_off"] == .integer(Int64(200 - kept)))
  }

  @Test func aReportThatJustFitsIsWhole() throws {
    // 64 items of 1,023 bytes and one of 57 fill the 65,529 bytes behind the header.
    var report = Report()
    for _ in 0..<64 {
      report.add("item", .text(String(repeating: "x", count: 1_023 - 9)))
    }
    report.add("item", .text(String(repeating: "x", count: 57 - 9)))
    let packet = ServerMessage.status(request: 1, report).encoded()
    #expect(packet.count == WireLimits.packetSizeMax)
    #expect(try ServerMessage(decoding: packet) == .status(request: 1, report))
    report.add("last", .flag(true))
    let cut = ServerMessage.status(request: 1, report).encoded()
    guard case .status(_, let arrived) = try ServerMessage(decoding: cut) else {
      Issue.record("not a status")
      return
    }
    #expect(arrived["report.items_left_off"] == .integer(2))
    #expect(arrived.items.count == 65)
  }

  @Test func anUpdateIsAddressedByItsSequenceAlone() {
    let update = Update(fix: Samples.fix, flags: .stationary)
    var packet = UpdatePacket(update)
    packet.address(to: SequenceID(number: 0x0102_0304))
    #expect(
      packet.bytes == ServerMessage.update(SequenceID(number: 0x0102_0304), update).encoded())
  }

  /// Damaged messages and noise: an error or a message, never a trap; and a message that was understood says the
  /// same when it is encoded again.
  @Test func randomBytesNeverTrap() throws {
    var random = Random(seed: 11)
    let packets =
      Samples.clientMessages.map { $0.encoded() }
      + Samples.serverMessages.map { $0.encoded() }.filter { $0.count < 1_000 }
    for round in 0..<20_000 {
      var packet = packets[Int(random.next() % UInt64(packets.count))]
      if round % 4 == 0 {
        packet = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next())
        }
      }
      for _ in 0..<random.next() % 4 where !packet.isEmpty {
        packet[Int(random.next() % UInt64(packet.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if case .success(let message) = outcome({ () throws(WireError) in
        try ClientMessage(decoding: packet)
      }) {
        #expect(message.encoded() == packet)
      }
      if case .success(let message) = outcome({ () throws(WireError) in
        try ServerMessage(decoding: packet)
      }) {
        #expect(message.encoded() == packet)
      }
    }
  }
}
