import Basics

/// Files on their way into a profile.
struct ProfileReading {
  private var draft = ProfileDraft()
  /// In the order of the files; within a file in any.
  private var complaints: [ProfileError.Complaint] = []
  /// The assignments that count: of one key the last one.
  private var taken: [ProfileText.Assignment] = []
  /// Where each section stood first.
  private var sections: [(place: ProfileText.Place, name: String)] = []

  /// Takes a file; what it sets wins over what earlier ones have set.
  mutating func take(_ file: ProfileFile) {
    let (entries, damage) = ProfileText.read(file)
    let earlier = complaints
    complaints = damage
    for entry in entries {
      switch entry {
      case .section(let place, let name): begin(name, at: place)
      case .assignment(let assignment): take(assignment)
      }
    }
    complaints = earlier + complaints.sorted { $0.line < $1.line }
  }

  /// The profile, when nothing is wrong.
  mutating func finished() throws(ProfileError) -> Profile {
    let profile = draft.finished()
    if complaints.isEmpty {
      let context = ProfileContext(profile: profile, taken: taken, sections: sections)
      complaints = context.complaints
    }
    if !complaints.isEmpty { throw ProfileError(complaints: complaints) }
    return profile
  }

  /// An unknown section is complained of here, once, and not at each of its keys.
  private mutating func begin(_ name: String, at place: ProfileText.Place) {
    let isFirst = !sections.contains { $0.name == name && $0.place.file == place.file }
    if isFirst { sections.append((place, name)) }
    if ProfileSection.named(name) != nil {
      if name == "Accelerometer", !taken.contains(where: { $0.isOf(name, "Chip") }) {
        draft.hasAccelerometer = true
      }
      return
    }
    guard isFirst else { return }
    complaints.append(
      place.complaint("[\(ProfileText.shown(name))]", ProfileReading.advice(section: name)))
  }

  private mutating func take(_ assignment: ProfileText.Assignment) {
    guard let section = ProfileSection.named(assignment.section) else { return }
    guard let key = section.keys.first(where: { $0.name == assignment.key }) else {
      let wanted = ProfileReading.advice(assignment.key, among: section.keys.map { $0.name }) {
        $0
      }
      complain(assignment, "[\(section.name)] has no such key, \(wanted)")
      return
    }
    if let earlier = taken.firstIndex(where: { $0.isOf(section.name, key.name) }) {
      if taken[earlier].place.file == assignment.place.file {
        let line = taken[earlier].place.line
        complain(assignment, "was set in line \(line) already, keep one of the two")
        return
      }
      taken.remove(at: earlier)
    }
    taken.append(assignment)
    do throws(ProfileSection.Wrong) {
      try key.take(assignment.value, &draft)
    } catch {
      complain(assignment, error.text)
    }
  }

  private mutating func complain(_ assignment: ProfileText.Assignment, _ text: String) {
    complaints.append(assignment.place.complaint(assignment.key, text))
  }

  private static func advice(section name: String) -> String {
    if name == "Button" || name.hasPrefix("Button ") {
      return "a button's section is like [Button HOME]: one word of at most 16 upper-case letters, "
        + "digits and hyphens"
    }
    let names = ProfileSection.all.map { $0.name }
    return "there is no such section, "
      + advice(name, among: names, besides: ["[Button NAME]"]) { "[\($0)]" }
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

extension ProfileText.Assignment {
  func isOf(_ section: String, _ key: String) -> Bool {
    self.section == section && self.key == key
  }
}
