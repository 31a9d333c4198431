import BinnacleBasics
import BinnacleModel

/// The fields of apps and of what they keep, in events and effects.
extension Event {
  private static let requested: UInt8 = 36
  private static let set: UInt8 = 37
  private static let appsRead: UInt8 = 38

  func encodeOfDefaults(into writer: inout ByteWriter) {
    if case .defaultsRequested(let client, let request) = self {
      writer.u8(Event.requested)
      writer.u32(client.number)
      writer.u32(request)
    } else if case .defaultsSet(let client, let request, let isLast, let entries) = self {
      writer.u8(Event.set)
      writer.u32(client.number)
      writer.u32(request)
      writer.u8(isLast ? 1 : 0)
      writer.put(entries)
    } else if case .appsRead(let background) = self {
      writer.u8(Event.appsRead)
      writer.u32(UInt32(truncatingIfNeeded: background.count))
      for app in background { writer.text(app) }
    } else {
      preconditionFailure("this event is not about apps")
    }
  }

  /// Reads an event whose tag is off the front already.
  init?(ofDefaults tag: UInt8, from reader: inout ByteReader) {
    if tag == Event.appsRead {
      guard let background = reader.texts() else { return nil }
      self = .appsRead(background: background)
      return
    }
    guard let client = reader.u32().map(ClientID.init(number:)), let request = reader.u32() else {
      return nil
    }
    if tag == Event.requested {
      self = .defaultsRequested(client, request: request)
    } else {
      guard let isLast = reader.flag(), let entries = reader.defaultsEntries() else { return nil }
      self = .defaultsSet(client, request: request, isLast: isLast, entries)
    }
  }
}

extension Effect {
  private static let all: UInt8 = 36
  private static let changed: UInt8 = 37
  private static let settled: UInt8 = 38

  func encodeOfDefaults(into writer: inout ByteWriter) {
    if case .defaults(let client, let request, let entries) = self {
      writer.u8(Effect.all)
      writer.u32(client.number)
      writer.u32(request)
      writer.put(entries)
    } else if case .defaultsChanged(let client, let entries) = self {
      writer.u8(Effect.changed)
      writer.u32(client.number)
      writer.put(entries)
    } else if case .defaultsSettled(let client, let request, let refusal) = self {
      writer.u8(Effect.settled)
      writer.u32(client.number)
      writer.u32(request)
      writer.u8(refusal.map { $0.reason.rawValue + 1 } ?? 0)
      if let refusal { writer.text(refusal.text) }
    } else {
      preconditionFailure("this effect is not about what apps keep")
    }
  }

  /// Reads an effect whose tag is off the front already.
  init?(ofDefaults tag: UInt8, from reader: inout ByteReader) {
    guard let client = reader.u32().map(ClientID.init(number:)) else { return nil }
    if tag == Effect.changed {
      guard let entries = reader.defaultsEntries() else { return nil }
      self = .defaultsChanged(client, entries)
      return
    }
    guard let request = reader.u32() else { return nil }
    if tag == Effect.all {
      guard let entries = reader.defaultsEntries() else { return nil }
      self = .defaults(client, request: request, entries)
      return
    }
    guard let reason = reader.u8() else { return nil }
    if reason == 0 {
      self = .defaultsSettled(client, request: request, nil)
    } else {
      guard let reason = DefaultsRefusal.Reason(rawValue: reason - 1), let text = reader.text()
      else { return nil }
      self = .defaultsSettled(client, request: request, DefaultsRefusal(reason, text))
    }
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ entries: [DefaultsEntry]) {
    u32(UInt32(truncatingIfNeeded: entries.count))
    for entry in entries {
      text(entry.key)
      counted(entry.value?.encoded ?? [])
    }
  }
}

extension ByteReader {
  fileprivate mutating func texts() -> [String]? {
    guard let count = u32(), Int(count) <= remaining else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }

  fileprivate mutating func defaultsEntries() -> [DefaultsEntry]? {
    guard let count = u32(), Int(count) <= remaining else { return nil }
    var entries: [DefaultsEntry] = []
    for _ in 0..<count {
      guard let key = text(), let bytes = counted() else { return nil }
      let value = DefaultsValue(encoded: bytes)
      guard value != nil || bytes.isEmpty else { return nil }
      entries.append(DefaultsEntry(key, value))
    }
    return entries
  }
}
