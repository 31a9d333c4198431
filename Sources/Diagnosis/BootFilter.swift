/// The conditional filters of config.txt that apply to a line.
///
/// A model filter replaces the previous model filter. Filters of other kinds are combined, and `[all]` ends all filters
/// (Raspberry Pi documentation, "Combining conditional filters").
struct BootFilter: Equatable, Sendable {
  private let model: RaspberryPi
  private var modelFilter: String?
  private var isNone = false
  private var others: [String] = []

  init(model: RaspberryPi) {
    self.model = model
  }

  mutating func take(_ filter: String) {
    switch filter {
    case "all": self = BootFilter(model: model)
    case "none": isNone = true
    case _ where filter.hasPrefix("pi") || filter.hasPrefix("cm"): modelFilter = filter
    default:
      let kind = BootFilter.kind(of: filter)
      others.removeAll { BootFilter.kind(of: $0) == kind }
      others.append(filter)
    }
  }

  /// The effect of the filters on a line.
  var effect: BootConfiguration.Effect {
    if isNone { return .heldBack(filter: "none") }
    if let modelFilter, !model.filters.contains(modelFilter) {
      return .heldBack(filter: modelFilter)
    }
    return others.first.map { .dependent(filter: $0) } ?? .counts
  }

  /// The kind of a filter: `gpio4` for `gpio4=1`, `0x` for a serial number.
  private static func kind(of filter: String) -> String {
    if filter.hasPrefix("0x") { return "0x" }
    return String(filter.prefix { $0 != "=" && $0 != ":" })
  }
}
