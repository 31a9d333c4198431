/// The processes of an app: an array in JSON, and a text with blanks in a report.
public struct ProcessIDs: ReportValue, Equatable {
  public static let typeName = "array of integers"

  public let numbers: [Int64]

  public init(_ numbers: [Int64]) { self.numbers = numbers }

  public init?(_ value: Report.Value) {
    guard case .text(let text) = value else { return nil }
    numbers = text.split(separator: " ").compactMap { Int64($0) }
  }

  public var reportValue: Report.Value {
    .text(numbers.map(String.init).joined(separator: " "))
  }
}
