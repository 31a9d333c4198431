/// The effective content of config.txt for the firmware of a Raspberry Pi.
///
/// It has the lines in their order, with included files in place. Each line has its effect on this model.
///
/// Raspberry Pi documentation, "What is config.txt" and "Conditional filters".
struct BootConfiguration: Equatable, Sendable {
  let path: String
  private(set) var lines: [Line] = []

  struct Line: Equatable, Sendable {
    var file: String
    /// The first line has the number 1.
    var number: Int
    var text: String
    var effect: Effect
  }

  /// The effect of the filters on a line.
  enum Effect: Equatable, Sendable {
    case counts
    /// This filter excludes the line.
    case heldBack(filter: String)
    /// The filter depends on unknown facts: a monitor, a pin, a serial number.
    case dependent(filter: String)
  }

  /// The state of a required line in the file.
  enum Standing: Equatable, Sendable {
    case counts(Line)
    case heldBack(Line, filter: String)
    /// A later line sets another value.
    case overridden(by: Line)
    case absent
  }

  /// Reads the file of a machine; nil if there is no file that this user may read.
  init?(of view: any MachineView, model: RaspberryPi) {
    // Since Debian 12 the partition is at /boot/firmware, and /boot/config.txt only refers to it.
    let places = ["/boot/firmware", "/boot"]
    guard let directory = places.first(where: { view.text(of: $0 + "/config.txt") != nil }) else {
      return nil
    }
    path = directory + "/config.txt"
    var gate = BootFilter(model: model)
    read("config.txt", in: directory, of: view, gate: &gate, depth: 0)
  }

  /// The state of a requirement: the last effective line about it decides.
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
        // An included file replaces the line, below the filters above the line.
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

/// Removes blanks and carriage returns from both ends.
func trimmed(_ text: Substring) -> Substring {
  let scalars = text.unicodeScalars
  let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
  guard let first = scalars.firstIndex(where: { !isBlank($0) }),
    let last = scalars.lastIndex(where: { !isBlank($0) })
  else { return "" }
  return text[first...last]
}
