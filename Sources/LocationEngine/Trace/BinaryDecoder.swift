/// Decodes the bytes of `BinaryEncoder` to a value; damaged bytes throw an error and never trap.
enum BinaryDecoder {
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    guard let node = BinaryNode(decoding: bytes) else { throw mismatch("damaged bytes") }
    return try value(of: node, as: type)
  }

  /// Decodes a value of the standard library directly, and any other value by its own decoding.
  fileprivate static func value<Value: Decodable>(
    of node: BinaryNode, as type: Value.Type
  ) throws -> Value {
    if let integer = type as? any FixedWidthInteger.Type {
      return try cast(number(node, integer), to: type)
    }
    switch node {
    case .flag(let value) where type == Bool.self: return try cast(value, to: type)
    case .text(let value) where type == String.self: return try cast(value, to: type)
    case .double(let value) where type == Double.self: return try cast(value, to: type)
    case .double(let value) where type == Float.self: return try cast(Float(value), to: type)
    case .null, .flag, .signed, .unsigned, .double, .text, .list, .record:
      if type == Bool.self || type == String.self || type == Double.self || type == Float.self {
        throw mismatch("\(type) expected")
      }
      return try Value(from: NodeDecoder(node: node))
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ node: BinaryNode, _ type: Number.Type
  ) throws -> Number {
    switch node {
    case .signed(let value):
      if let number = Number(exactly: value) { return number }
    case .unsigned(let value):
      if let number = Number(exactly: value) { return number }
    case .null, .flag, .double, .text, .list, .record: break
    }
    throw mismatch("\(type) expected")
  }

  private static func cast<Value>(_ value: Any, to type: Value.Type) throws -> Value {
    guard let value = value as? Value else { throw mismatch("\(type) expected") }
    return value
  }

  fileprivate static func mismatch(_ what: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: what))
  }
}

private struct NodeDecoder: Decoder {
  let node: BinaryNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .record(let fields) = node else {
      throw BinaryDecoder.mismatch("a record expected")
    }
    return KeyedDecodingContainer(RecordReader<Key>(fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let nodes) = node else { throw BinaryDecoder.mismatch("a list expected") }
    return ListReader(nodes: nodes)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleReader(node: node)
  }
}

private struct RecordReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let fields: [BinaryNode.Field]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { fields.contains { $0.name == key.stringValue } }

  func decodeNil(forKey key: Key) throws -> Bool { try node(key.stringValue) == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try BinaryDecoder.value(of: node(key.stringValue), as: type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try NodeDecoder(node: node(key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try NodeDecoder(node: node(key.stringValue)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { NodeDecoder(node: try node("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    NodeDecoder(node: try node(key.stringValue))
  }

  private func node(_ name: String) throws -> BinaryNode {
    guard let field = fields.first(where: { $0.name == name }) else {
      throw BinaryDecoder.mismatch("no \(name)")
    }
    return field.value
  }
}

private struct ListReader: UnkeyedDecodingContainer {
  let nodes: [BinaryNode]
  var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { nodes.count }
  var isAtEnd: Bool { currentIndex >= nodes.count }

  init(nodes: [BinaryNode]) {
    self.nodes = nodes
  }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < nodes.count else { throw BinaryDecoder.mismatch("the list is over") }
    guard nodes[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try BinaryDecoder.value(of: nextNode(), as: type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try NodeDecoder(node: nextNode()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try NodeDecoder(node: nextNode()).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { NodeDecoder(node: try nextNode()) }

  private mutating func nextNode() throws -> BinaryNode {
    guard currentIndex < nodes.count else { throw BinaryDecoder.mismatch("the list is over") }
    defer { currentIndex += 1 }
    return nodes[currentIndex]
  }
}

private struct SingleReader: SingleValueDecodingContainer {
  let node: BinaryNode
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { node == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try BinaryDecoder.value(of: node, as: type)
  }
}
