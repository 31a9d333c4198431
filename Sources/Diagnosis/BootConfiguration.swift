/// What the firmware of a Raspberry Pi reads from config.txt: its lines in their order, included files in
/// their place, each with whether it counts on this model.
///
/// Raspberry Pi documentation, "What is config.txt" and "Conditional filters".
struct BootConfiguration: Equatable, Sendable {
  let path: String
  private(set) var lines: [Line] = []

  struct Line: Equatable, Sendable {
    var file: String
    /// Counted from 1.
    var number: Int
    var text: String
    var effect: Effect
  }

  /// Whether the filters above a line let it through.
  enum Effect: Equatable, Sendable {
    case counts
    /// Held back by this filter.
    case heldBack(filter: String)
    /// The filter depends on unknown facts: a monitor, a pin, a serial number.
    case dependent(filter: String)
  }

  /// How a wanted line stands in the file.
  enum Standing: Equatable, Sendable {
    case counts(Line)
    case heldBack(Line, filter: String)
    /// A later line sets the opposite.
    case overridden(by: Line)
    case absent
  }

  /// Reads the file of a machine; nil where there is none that this user may read.
  init?(of view: any MachineView, model: RaspberryPi) {
    // Since Debian 12 the partition is at /boot/firmware, and /boot/config.txt only says so.
    let places = ["/boot/firmware", "/boot"]
    guard let directory = places.first(where: { view.text(of: $0 + "/config.txt") != nil }) else {
      return nil
    }
    path = directory + "/config.txt"
    var gate = BootFilter(model: model)
    read("config.txt", in: directory, of: view, gate: &gate, depth: 0)
  }

  /// How a requirement stands: the last line about it that counts decides.
  func standing(of requirement: RaspberryPi.Requirement) -> Standing {
    let wanted = ([requirement.line] + requirement.others).map { BootSetting($0) }
    var standing = Standing.absent
    for line in lines {
      for setting in BootSetting.all(in: line.text) {
        let match = wanted.first { $0.key == setting.key && $0.name == setting.name }
        guard let match else { continue }
        switch line.effect {
        case .counts, .dependent:
          standing = match.value == setting.value ? .counts(line) : .overridden(by: line)
        case .heldBack(let filter):
          if standing == .absent, match.value == setting.value {
            standing = .heldBack(line, filter: filter)
          }
        }
      }
    }
    return standing
  }

  private mutating func read(
    _ name: String, in directory: String, of view: any MachineView, gate: inout BootFilter,
    depth: Int
  ) {
    let file = directory + "/" + name
    for (index, raw) in view.lines(of: file).enumerated() where lines.count < linesMax {
      let text = trimmed(raw)
      if text.isEmpty || text.hasPrefix("#") { continue }
      if text.hasPrefix("["), text.hasSuffix("]") {
        gate.take(String(text.dropFirst().dropLast()))
      } else if text.hasPrefix("include "), depth < 8 {
        // An included file stands in the line's place, below the filters above the line.
        let inner = trimmed(text.dropFirst("include ".count))
        if case .heldBack = gate.effect { continue }
        read(String(inner), in: directory, of: view, gate: &gate, depth: depth + 1)
      } else {
        lines.append(
          Line(file: file, number: index + 1, text: String(text), effect: gate.effect))
      }
    }
  }

  private let linesMax = 10_000
}

/// Takes blanks and carriage returns from both ends.
func trimmed(_ text: Substring) -> Substring {
  let scalars = text.unicodeScalars
  let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
  guard let first = scalars.firstIndex(where: { !isBlank($0) }),
    let last = scalars.lastIndex(where: { !isBlank($0) })
  else { return "" }
  return text[first...last]
}
