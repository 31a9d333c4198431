/// The Swift type of a report value.
public protocol ReportValue: Sendable {
  /// The type's name in `Docs/SPEC-json.md`.
  static var typeName: String { get }
  /// nil: the value is of another type.
  init?(_ value: Report.Value)
  var reportValue: Report.Value { get }
}

extension String: ReportValue {
  public static let typeName = "text"

  public init?(_ value: Report.Value) {
    guard case .text(let text) = value else { return nil }
    self = text
  }

  public var reportValue: Report.Value { .text(self) }
}

extension Int64: ReportValue {
  public static let typeName = "integer"

  public init?(_ value: Report.Value) {
    guard case .integer(let integer) = value else { return nil }
    self = integer
  }

  public var reportValue: Report.Value { .integer(self) }
}

extension Double: ReportValue {
  public static let typeName = "number"

  /// Accepts integers, too.
  public init?(_ value: Report.Value) {
    switch value {
    case .number(let number): self = number
    case .integer(let integer): self = Double(integer)
    case .text, .flag: return nil
    }
  }

  public var reportValue: Report.Value { .number(self) }
}

extension Bool: ReportValue {
  public static let typeName = "boolean"

  public init?(_ value: Report.Value) {
    guard case .flag(let flag) = value else { return nil }
    self = flag
  }

  public var reportValue: Report.Value { .flag(self) }
}
