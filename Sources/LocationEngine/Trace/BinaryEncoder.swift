/// Encodes an `Encodable` value to compact bytes, with the standard library's Codable and without Foundation.
///
/// The encoder is used when a trace is saved, never while events are handled.
enum BinaryEncoder {
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    try node(of: value).encoded()
  }

  fileprivate static func node(of value: some Encodable) throws -> BinaryNode {
    let box = NodeBox()
    try value.encode(to: NodeEncoder(box: box))
    return box.finished()
  }
}

/// A place in the tree during its construction; containers are handed out and filled in any order.
private final class NodeBox {
  enum Content {
    case single(BinaryNode)
    case list([NodeBox])
    case record([(name: String, box: NodeBox)])
  }

  var content = Content.single(.null)

  init() {}

  init(_ node: BinaryNode) {
    content = .single(node)
  }

  func finished() -> BinaryNode {
    switch content {
    case .single(let node): node
    case .list(let boxes): .list(boxes.map { $0.finished() })
    case .record(let fields):
      .record(fields.map { BinaryNode.Field(name: $0.name, value: $0.box.finished()) })
    }
  }

  func becomeList() {
    if case .list = content { return }
    content = .list([])
  }

  func becomeRecord() {
    if case .record = content { return }
    content = .record([])
  }

  func append(_ box: NodeBox) {
    guard case .list(var boxes) = content else { return }
    content = .single(.null)
    boxes.append(box)
    content = .list(boxes)
  }

  func append(_ name: String, _ box: NodeBox) {
    guard case .record(var fields) = content else { return }
    content = .single(.null)
    fields.append((name, box))
    content = .record(fields)
  }

  var count: Int {
    if case .list(let boxes) = content { boxes.count } else { 0 }
  }
}

private struct NodeEncoder: Encoder {
  let box: NodeBox
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    box.becomeRecord()
    return KeyedEncodingContainer(RecordWriter<Key>(box: box))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    box.becomeList()
    return ListWriter(box: box)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleWriter(box: box)
  }
}

/// Encodes a value of the standard library, for every kind of container.
private func node(ofPrimitive value: some Encodable) throws -> BinaryNode {
  switch value {
  case let value as Bool: .flag(value)
  case let value as String: .text(value)
  case let value as Double: .double(value)
  case let value as Float: .double(Double(value))
  case let value as any (FixedWidthInteger & UnsignedInteger): .unsigned(UInt64(value))
  case let value as any (FixedWidthInteger & SignedInteger): .signed(Int64(value))
  default: try BinaryEncoder.node(of: value)
  }
}

private struct RecordWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let box: NodeBox
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil(forKey key: Key) { box.append(key.stringValue, NodeBox(.null)) }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    box.append(key.stringValue, NodeBox(try node(ofPrimitive: value)))
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(box: nested(key.stringValue)).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NodeEncoder(box: nested(key.stringValue)).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { NodeEncoder(box: nested("super")) }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    NodeEncoder(box: nested(key.stringValue))
  }

  private func nested(_ name: String) -> NodeBox {
    let inner = NodeBox()
    box.append(name, inner)
    return inner
  }
}

private struct ListWriter: UnkeyedEncodingContainer {
  let box: NodeBox
  var codingPath: [any CodingKey] { [] }
  var count: Int { box.count }

  mutating func encodeNil() { box.append(NodeBox(.null)) }

  mutating func encode(_ value: some Encodable) throws {
    box.append(NodeBox(try node(ofPrimitive: value)))
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(box: nested()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    NodeEncoder(box: nested()).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { NodeEncoder(box: nested()) }

  private func nested() -> NodeBox {
    let inner = NodeBox()
    box.append(inner)
    return inner
  }
}

private struct SingleWriter: SingleValueEncodingContainer {
  let box: NodeBox
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() { box.content = .single(.null) }
  mutating func encode(_ value: Bool) { box.content = .single(.flag(value)) }
  mutating func encode(_ value: String) { box.content = .single(.text(value)) }
  mutating func encode(_ value: Double) { box.content = .single(.double(value)) }
  mutating func encode(_ value: Float) { box.content = .single(.double(Double(value))) }
  mutating func encode(_ value: Int) { signed(value) }
  mutating func encode(_ value: Int8) { signed(value) }
  mutating func encode(_ value: Int16) { signed(value) }
  mutating func encode(_ value: Int32) { signed(value) }
  mutating func encode(_ value: Int64) { signed(value) }
  mutating func encode(_ value: UInt) { unsigned(value) }
  mutating func encode(_ value: UInt8) { unsigned(value) }
  mutating func encode(_ value: UInt16) { unsigned(value) }
  mutating func encode(_ value: UInt32) { unsigned(value) }
  mutating func encode(_ value: UInt64) { unsigned(value) }

  mutating func encode(_ value: some Encodable) throws {
    box.content = .single(try node(ofPrimitive: value))
  }

  private func signed(_ value: some FixedWidthInteger & SignedInteger) {
    box.content = .single(.signed(Int64(value)))
  }

  private func unsigned(_ value: some FixedWidthInteger & UnsignedInteger) {
    box.content = .single(.unsigned(UInt64(value)))
  }
}
