/// A key of the report: its name on the wire and in JSON, its type and its meaning.
///
/// A key with a number or a name inside is a function, such as `clientProgram("3")`. `ReportCatalog` lists all keys.
public struct ReportKey<Value: ReportValue>: Equatable, Sendable {
  /// A path with dots, the most significant word first; the last word ends with the unit.
  public let name: String
  /// The meaning, as a phrase.
  public let meaning: String

  init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}

extension Report {
  /// The value of a key; nil if the report has no value or a value of another type.
  public subscript<Value: ReportValue>(key: ReportKey<Value>) -> Value? {
    self[key.name].flatMap { Value($0) }
  }

  /// Appends a value.
  public mutating func add<Value: ReportValue>(_ key: ReportKey<Value>, _ value: Value) {
    add(key.name, value.reportValue)
  }

  /// The items whose names a predicate accepts.
  public func filtered(_ isWanted: (String) -> Bool) -> Report {
    Report(items: items.filter { isWanted($0.name) })
  }
}
