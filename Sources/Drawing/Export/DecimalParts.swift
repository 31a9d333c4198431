/// Exact decimals of integers.
public enum DecimalParts {
  public static func degrees(_ value: Int64) -> String { number(value, 10_000_000) }

  public static func hundredths(_ value: Int64) -> String { number(value, 100) }

  /// An integer number of parts as an exact decimal: 1234 hundredths are 12.34.
  public static func number(_ value: Int64, _ parts: Int64) -> String {
    let rest = String(value.magnitude % UInt64(parts))
    let zeros = String(repeating: "0", count: max(0, String(parts).count - 1 - rest.count))
    return (value < 0 ? "-" : "") + "\(value.magnitude / UInt64(parts)).\(zeros)\(rest)"
  }
}
