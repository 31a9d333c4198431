import BinnacleBasics

/// Settings files on their way into a draft.
struct SettingsReading<Draft> {
  private let kind: SettingsKind<Draft>
  private(set) var draft: Draft
  /// The faults, in the order of the files, and within a file in the order of the lines.
  private(set) var complaints: [SettingsError.Complaint] = []
  /// The effective assignments: the last one of each key, with the own names of section and key.
  private(set) var taken: [SettingsText.Assignment] = []
  /// Where each section stood first.
  private(set) var sections: [(place: SettingsText.Place, name: String)] = []

  init(_ kind: SettingsKind<Draft>, into draft: Draft) {
    self.kind = kind
    self.draft = draft
  }

  /// Takes a file; its values override those of earlier files.
  mutating func take(_ file: SettingsFile) {
    let (entries, damage) = SettingsText.read(
      file, noun: kind.noun, exampleSection: kind.exampleSection)
    let earlier = complaints
    complaints = damage
    for entry in entries {
      switch entry {
      case .section(let place, let name): begin(name, at: place)
      case .assignment(let assignment): take(assignment)
      }
    }
    complaints = earlier + complaints.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// Begins a section; an unknown section is reported here, once, and not at each of its keys.
  private mutating func begin(_ name: String, at place: SettingsText.Place) {
    let known = kind.section(named: name)
    let name = known?.name ?? name
    let isFirst = !sections.contains { $0.name == name && $0.place.file == place.file }
    guard isFirst else { return }
    sections.append((place, name))
    guard known == nil else { return }
    complaints.append(place.complaint("[\(SettingsText.shown(name))]", advice(section: name)))
  }

  private mutating func take(_ assignment: SettingsText.Assignment) {
    guard let section = kind.section(named: assignment.section) else { return }
    guard let key = section.key(named: assignment.key) else {
      let wanted = SettingsReading.advice(
        assignment.key, among: section.keys.map { $0.name }, besides: section.otherKeys
      ) { $0 }
      complain(assignment, "[\(section.name)] has no such key, \(wanted)")
      return
    }
    var named = assignment
    named.section = section.name
    named.key = key.name
    if let earlier = taken.firstIndex(where: { $0.isOf(section.name, key.name) }) {
      if taken[earlier].place.file == assignment.place.file {
        let line = taken[earlier].place.line
        complain(assignment, "was set in line \(line) already, keep one of the two")
        return
      }
      taken.remove(at: earlier)
    }
    taken.append(named)
    do throws(SettingsValue.Wrong) {
      try key.take(assignment.value, &draft)
    } catch {
      complain(assignment, error.text)
    }
  }

  private mutating func complain(_ assignment: SettingsText.Assignment, _ text: String) {
    complaints.append(assignment.place.complaint(assignment.key, text))
  }

  private func advice(section name: String) -> String {
    if let advice = kind.adviceOnOther(name) { return advice }
    let names = kind.sections.map { $0.name }
    return "there is no such section, "
      + SettingsReading.advice(name, among: names, besides: kind.others) { "[\($0)]" }
  }

  private static func advice(
    _ word: String, among known: [String], besides others: [String] = [],
    _ form: (String) -> String
  ) -> String {
    if let meant = Spelling.nearest(to: word, among: known) {
      return "did you mean \(form(meant))?"
    }
    return "it may be one of " + (known.map(form) + others).joined(separator: " ")
  }
}

extension SettingsText.Assignment {
  func isOf(_ section: String, _ key: String) -> Bool {
    self.section == section && self.key == key
  }
}
