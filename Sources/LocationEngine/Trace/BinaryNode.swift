import BinnacleBasics

/// A value between Codable and bytes, which the compact binary coder writes and reads.
///
/// The bytes are a tag and then the value. Numbers of variable length have 7 bits a byte, the lowest bits first. A name
/// is written once; later uses refer to its index in the order of first use.
indirect enum BinaryNode: Equatable, Sendable {
  case null
  case flag(Bool)
  case signed(Int64)
  case unsigned(UInt64)
  case double(Double)
  case text(String)
  case list([BinaryNode])
  case record([Field])

  struct Field: Equatable, Sendable {
    var name: String
    var value: BinaryNode
  }

  enum Tag: UInt8 {
    case null = 0
    case no = 1
    case yes = 2
    case signed = 3
    case unsigned = 4
    case double = 5
    case text = 6
    case list = 7
    case record = 8
    /// A list of numbers from 0 to 255, one byte each.
    case bytes = 9
  }

  static let depthMax = 64

  // MARK: Writing

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    var names: [String: Int] = [:]
    write(into: &writer, &names)
    return writer.bytes
  }

  private func write(into writer: inout ByteWriter, _ names: inout [String: Int]) {
    switch self {
    case .null: writer.u8(Tag.null.rawValue)
    case .flag(let value): writer.u8(value ? Tag.yes.rawValue : Tag.no.rawValue)
    case .signed(let value):
      writer.u8(Tag.signed.rawValue)
      writer.variable(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    case .unsigned(let value):
      writer.u8(Tag.unsigned.rawValue)
      writer.variable(value)
    case .double(let value):
      writer.u8(Tag.double.rawValue)
      writer.f64(value)
    case .text(let value):
      writer.u8(Tag.text.rawValue)
      writer.variableText(value)
    case .list(let nodes):
      if let bytes = BinaryNode.bytes(of: nodes) {
        writer.u8(Tag.bytes.rawValue)
        writer.variable(UInt64(bytes.count))
        writer.put(bytes)
        return
      }
      writer.u8(Tag.list.rawValue)
      writer.variable(UInt64(nodes.count))
      for node in nodes { node.write(into: &writer, &names) }
    case .record(let fields):
      writer.u8(Tag.record.rawValue)
      writer.variable(UInt64(fields.count))
      for field in fields {
        let place = names[field.name] ?? names.count
        writer.variable(UInt64(place))
        if place == names.count {
          names[field.name] = place
          writer.variableText(field.name)
        }
        field.value.write(into: &writer, &names)
      }
    }
  }

  private static func bytes(of nodes: [BinaryNode]) -> [UInt8]? {
    guard !nodes.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(nodes.count)
    for node in nodes {
      guard case .unsigned(let value) = node, let byte = UInt8(exactly: value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  // MARK: Reading

  /// Reads bytes that `encoded` wrote; nil if the bytes are damaged, nested too deeply, or more than one value.
  init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    var names: [String] = []
    guard let node = BinaryNode.read(from: &reader, &names, depth: 0), reader.remaining == 0
    else { return nil }
    self = node
  }

  private static func read(
    from reader: inout ByteReader, _ names: inout [String], depth: Int
  ) -> BinaryNode? {
    guard depth < depthMax, let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .null: return .null
    case .no: return .flag(false)
    case .yes: return .flag(true)
    case .signed:
      return reader.variable().map {
        .signed(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1))
      }
    case .unsigned: return reader.variable().map { .unsigned($0) }
    case .double: return reader.f64().map { .double($0) }
    case .text: return reader.variableText().map { .text($0) }
    case .bytes:
      guard let count = reader.variable().flatMap({ Int(exactly: $0) }),
        let bytes = reader.take(count)
      else { return nil }
      return .list(bytes.map { .unsigned(UInt64($0)) })
    case .list:
      guard let count = reader.variable(), count <= UInt64(reader.remaining) else { return nil }
      var nodes: [BinaryNode] = []
      for _ in 0..<count {
        guard let node = read(from: &reader, &names, depth: depth + 1) else { return nil }
        nodes.append(node)
      }
      return .list(nodes)
    case .record:
      return readRecord(from: &reader, &names, depth: depth)
    }
  }

  private static func readRecord(
    from reader: inout ByteReader, _ names: inout [String], depth: Int
  ) -> BinaryNode? {
    guard let count = reader.variable(), count <= UInt64(reader.remaining) else { return nil }
    var fields: [Field] = []
    for _ in 0..<count {
      guard let place = reader.variable().flatMap({ Int(exactly: $0) }), place <= names.count
      else { return nil }
      if place == names.count {
        guard let name = reader.variableText() else { return nil }
        names.append(name)
      }
      guard let value = read(from: &reader, &names, depth: depth + 1) else { return nil }
      fields.append(Field(name: names[place], value: value))
    }
    return .record(fields)
  }
}

extension ByteWriter {
  fileprivate mutating func variable(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      u8(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    u8(UInt8(truncatingIfNeeded: rest))
  }

  fileprivate mutating func variableText(_ text: String) {
    let utf8 = Array(text.utf8)
    variable(UInt64(utf8.count))
    put(utf8)
  }
}

extension ByteReader {
  fileprivate mutating func variable() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = u8() else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    return nil
  }

  fileprivate mutating func variableText() -> String? {
    guard let count = variable().flatMap({ Int(exactly: $0) }), let utf8 = take(count)
    else { return nil }
    return String(validating: utf8, as: UTF8.self)
  }
}
