/// The broken rules that a hunt has found, sorted by rule.
///
/// Two failures belong to one class when their first complaints are equal except for numbers. Later complaints of the
/// same run are often consequences of the first, because a run stops at the first complaint.
public struct FailureClasses: Equatable, Sendable {
  /// One rule that runs have broken.
  public struct Class: Equatable, Sendable {
    /// The complaint, with `#` for each number.
    public let name: String
    /// The number of seeds that have broken the rule.
    public fileprivate(set) var count = 0
    /// The first of the seeds that have broken the rule, at most ``seedsMax``.
    public fileprivate(set) var seeds: [UInt64] = []
  }

  /// The number of example seeds that each class keeps.
  public static let seedsMax = 8

  /// In the order in which the classes were found.
  public private(set) var classes: [Class] = []

  public init() {}

  /// The number of seeds that have failed.
  public var count: Int { classes.reduce(0) { $0 + $1.count } }

  /// Adds the failure of a seed.
  ///
  /// - Parameters:
  ///   - complaint: the first broken rule, as in a verdict.
  ///   - seed: the seed that broke the rule.
  public mutating func add(_ complaint: String, seed: UInt64) {
    let name = FailureClasses.name(of: complaint)
    let known = classes.firstIndex { $0.name == name }
    if known == nil { classes.append(Class(name: name)) }
    let index = known ?? classes.count - 1
    classes[index].count += 1
    if classes[index].seeds.count < FailureClasses.seedsMax { classes[index].seeds.append(seed) }
  }

  /// A line for each class, the most frequent first.
  public var lines: [String] {
    let order = classes.indices.sorted { (-classes[$0].count, $0) < (-classes[$1].count, $1) }
    return order.map { index in
      let seeds = classes[index].seeds.map { String($0) }.joined(separator: " ")
      return "\(classes[index].count) x \(classes[index].name): seed \(seeds)"
    }
  }

  /// The beginning of a complaint, without its instant and with `#` for each number.
  static func name(of complaint: String) -> String {
    var name = ""
    var isNumber = false
    for character in complaint {
      let continuesNumber = character.isNumber || isNumber && character == "."
      if continuesNumber, !isNumber { name.append("#") }
      if !continuesNumber { name.append(character) }
      isNumber = continuesNumber
    }
    let instant = "# ms: "
    if name.hasPrefix(instant) { name.removeFirst(instant.count) }
    let inner = "with apps, "
    if name.hasPrefix(inner + instant) { name = inner + name.dropFirst((inner + instant).count) }
    return String(name.prefix(nameSizeMax))
  }

  /// The length of a name; details such as the fields of a fix follow after this length.
  private static let nameSizeMax = 80
}
