import BinnacleBasics

/// The words behind a program's name, sorted into options and the rest.
///
/// `--name value`, `--name=value`, `--flag`; `--` ends the options; `-` alone is no option.
public struct Arguments: Equatable, Sendable {
  /// The words that are no options, in their order.
  public private(set) var positionals: [String] = []
  private var given: [Given] = []

  private struct Given: Equatable, Sendable {
    var name: String
    var value: String
  }

  /// An option that a program knows.
  public struct Option: Equatable, Sendable {
    /// Without the dashes.
    public let name: String
    public let takesValue: Bool

    /// An option that a value follows.
    public static func value(_ name: String) -> Option { Option(name: name, takesValue: true) }
    /// An option without a value.
    public static func flag(_ name: String) -> Option { Option(name: name, takesValue: false) }
  }

  /// The fault in the arguments; the program prints the fault and ends with `ExitStatus.usage`.
  public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
      self.description = description
    }
  }

  /// Sorts words.
  ///
  /// - Parameters:
  ///   - words: without the program's name.
  ///   - options: those that may be given, each at most once.
  ///   - positionalsMax: how many other words there may be.
  /// - Throws: the fault in the arguments.
  public init(
    _ words: [String], options: [Option], positionalsMax: Int = 0
  ) throws(UsageError) {
    var rest = words[...]
    var isOptionsEnd = false
    while let word = rest.popFirst() {
      if isOptionsEnd || !word.hasPrefix("-") || word == "-" {
        positionals.append(word)
      } else if word == "--" {
        isOptionsEnd = true
      } else {
        try take(word, followedBy: &rest, options: options)
      }
    }
    if positionals.count > positionalsMax {
      throw UsageError("unexpected argument '\(positionals[positionalsMax])'")
    }
  }

  private mutating func take(
    _ word: String, followedBy rest: inout ArraySlice<String>, options: [Option]
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].hasPrefix("--") ? String(parts[0].dropFirst(2)) : ""
    guard let option = options.first(where: { $0.name == name }) else {
      let meant = Spelling.nearest(to: name, among: options.map { $0.name })
      throw UsageError(
        "unknown option '\(parts[0])'" + (meant.map { "; did you mean '--\($0)'?" } ?? ""))
    }
    if given.contains(where: { $0.name == name }) {
      throw UsageError("option '--\(name)' is given twice")
    }
    if !option.takesValue {
      if parts.count > 1 { throw UsageError("option '--\(name)' takes no value") }
      given.append(Given(name: name, value: ""))
    } else if parts.count > 1 {
      given.append(Given(name: name, value: String(parts[1])))
    } else if let value = rest.first, !isOption(value, among: options) {
      rest.removeFirst()
      given.append(Given(name: name, value: value))
    } else {
      throw UsageError("option '--\(name)' needs a value")
    }
  }

  /// Whether a word is an option of the program, and so no value of the option before it.
  private func isOption(_ word: String, among options: [Option]) -> Bool {
    options.contains { word == "--\($0.name)" || word.hasPrefix("--\($0.name)=") }
  }

  /// Whether an option was given.
  public func has(_ name: String) -> Bool {
    given.contains { $0.name == name }
  }

  /// The value of an option; nil when it was not given.
  public func value(_ name: String) -> String? {
    given.first { $0.name == name }?.value
  }

  /// The value of an option that is a whole number in a range.
  public func integer<Number: FixedWidthInteger>(
    _ name: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = value(name) else { return nil }
    guard let number = Number(text), range.contains(number) else {
      throw UsageError(
        "option '--\(name)': '\(text)' is not a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }

  /// The value of an option that is a number in a range.
  public func number(
    _ name: String, in range: ClosedRange<Double>
  ) throws(UsageError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw UsageError(
        "option '--\(name)': '\(text)' is not a number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    return number
  }
}
