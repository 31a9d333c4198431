/// Properties of NMEA sentences.
enum SentenceChecks {
  /// The order inside a burst (recordings gpsd-neo-m9n-nmea.log, gpsd-ublox8-uniqid-monhw.log, gpsd-zed-f9r.log).
  private static let order = ["RMC", "VTG", "GGA", "GSA", "GSV", "GLL", "GST", "ZDA", "GBS"]

  static func violations(in frames: [RecordedFrame]) -> [ReceiverChecks.Violation] {
    var violations: [ReceiverChecks.Violation] = []
    var rank = 0
    for frame in frames where frame.kind == .nmea {
      let text = String(decoding: frame.payload, as: UTF8.self)
      let fields = text.split(separator: ",", omittingEmptySubsequences: false)
      guard let address = fields.first, address.count == 5 else { continue }
      let kind = String(address.dropFirst(2))
      func check(_ property: String, _ holds: Bool) {
        guard !holds else { return }
        violations.append(.init(property: property, offset: frame.offset, detail: text))
      }
      if let position = order.firstIndex(of: kind) {
        check("sentences come in their order", position >= rank || kind == "RMC")
        rank = position
      }
      check("a sentence has its fields", hasItsFields(kind, fields))
    }
    return violations
  }

  private static func hasItsFields(_ kind: String, _ fields: [Substring]) -> Bool {
    switch kind {
    case "RMC":
      guard (13...14).contains(fields.count) else { return false }
      return (fields[2] == "A") == !fields[3].isEmpty
    case "GGA":
      return fields.count == 15 && (fields[6] == "0") == fields[2].isEmpty
    case "GLL":
      return fields.count == 8 && (fields[6] == "A") == !fields[1].isEmpty
    case "VTG": return fields.count == 10
    case "GSA": return (18...19).contains(fields.count)
    case "GSV": return isPage(fields)
    case "GST": return fields.count == 9 && fields[6].isEmpty == fields[8].isEmpty
    case "ZDA":
      return fields.count == 7
        && (fields[2].count, fields[4].count) == (fields[2].isEmpty ? (0, 0) : (2, 4))
    case "TXT": return fields.count >= 5
    default: return true
    }
  }

  /// GSV: pages, page, satellites in view, then four fields each, followed by a signal number since NMEA 4.10.
  private static func isPage(_ fields: [Substring]) -> Bool {
    guard fields.count >= 4, let pages = Int(fields[1]), let page = Int(fields[2]),
      let total = Int(fields[3]), (1...pages).contains(page)
    else { return false }
    let here = min(4, max(0, total - (page - 1) * 4))
    return [4 + here * 4, 5 + here * 4].contains(fields.count)
  }
}

/// Properties of answers to commands.
enum AnswerChecks {
  static func violations(in frames: [RecordedFrame]) -> [ReceiverChecks.Violation] {
    var violations: [ReceiverChecks.Violation] = []
    for (index, frame) in frames.enumerated() where frame.kind == .ubx {
      func check(_ property: String, _ holds: Bool) {
        guard !holds else { return }
        violations.append(
          .init(property: property, offset: frame.offset, detail: "\(frame.payload)"))
      }
      switch (frame.messageClass, frame.id) {
      case (0x05, _):
        check("ACK and NAK carry class and id", frame.payload.count == 2 && frame.id <= 1)
      case (0x0A, 0x04) where !frame.payload.isEmpty:
        check("MON-VER has its shape", isVersion(frame.payload))
      case (0x06, 0x8B) where frame.payload.first == 1:
        let items = ValueList.items(Array(frame.payload.dropFirst(4)))
        check("a VALGET answer holds 1 to 64 items", (1...64).contains(items?.count ?? 0))
        check("a VALGET answer names each key once, in order", isAscending(items ?? []))
        let after = frames[(index + 1)...].prefix(3).contains {
          $0.messageClass == 0x05 && $0.payload == [0x06, 0x8B]
        }
        // In pyubx2-f9p-configdebug.log the answer to the host's next poll stands between, so the check covers a few
        // frames.
        check("a VALGET answer is acknowledged", after || index + 3 >= frames.count)
      default: break
      }
    }
    return violations
  }

  private static func isAscending(_ items: [SettingStore.Item]) -> Bool {
    zip(items, items.dropFirst()).allSatisfy { $0.key < $1.key }
  }

  /// Software, hardware of eight hexadecimal digits, extensions, all padded with zeros.
  private static func isVersion(_ payload: [UInt8]) -> Bool {
    guard payload.count >= 40, (payload.count - 40) % 30 == 0 else { return false }
    let fields =
      [Array(payload[..<30]), Array(payload[30..<40])]
      + stride(from: 40, to: payload.count, by: 30).map { Array(payload[$0..<$0 + 30]) }
    let hardware = payload[30..<38]
    return fields.allSatisfy { field in
      let text = field.prefix { $0 != 0 }
      return text.count < field.count && text.allSatisfy { (0x20..<0x7F).contains($0) }
        && field.dropFirst(text.count).allSatisfy { $0 == 0 }
    } && hardware.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
  }
}
