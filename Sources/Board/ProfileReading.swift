import Basics

/// Assignments on their way into a profile.
struct ProfileReading {
  private(set) var profile: Profile
  private(set) var complaints: [ProfileError.Complaint]
  private var seen: [ProfileText.Assignment] = []

  /// A section and the keys that it has.
  private struct Section {
    let name: String
    let keys: [Key]
  }

  /// A key: how it takes a value, or what would be right.
  private struct Key {
    let name: String
    let take: (String, inout Profile) throws(Wrong) -> Void
  }

  /// What is wrong with a value, and what would be right.
  struct Wrong: Error {
    let text: String
  }

  init(profile: Profile, complaints: [ProfileError.Complaint]) {
    self.profile = profile
    self.complaints = complaints
  }

  /// Everything that a profile can say.
  private static var sections: [Section] { [receiver, clients] }

  private static var receiver: Section {
    Section(
      name: "Receiver",
      keys: [
        Key(name: "Device") { (text, profile) throws(Wrong) in
          profile.receiver.device = try ProfileValue.path(text)
        },
        Key(name: "Speed") { (text, profile) throws(Wrong) in
          profile.receiver.speed = try ProfileValue.count(
            text, unit: "baud", in: 4_800...921_600)
        },
        Key(name: "Rate") { (text, profile) throws(Wrong) in
          profile.receiver.rateHz = try ProfileValue.count(text, unit: "Hz", in: 0...25)
        },
        Key(name: "RateMax") { (text, profile) throws(Wrong) in
          profile.receiver.rateMaxHz = try ProfileValue.count(text, unit: "Hz", in: 1...25)
        },
        Key(name: "UnavailableAfter") { (text, profile) throws(Wrong) in
          profile.receiver.unavailableAfter = try ProfileValue.interval(
            text, in: .seconds(1)...(.seconds(3_600)), example: "5 s")
        },
      ])
  }

  private static var clients: Section {
    Section(
      name: "Clients",
      keys: [
        Key(name: "ClientsMax") { (text, profile) throws(Wrong) in
          profile.clients.clientsMax = try ProfileValue.count(text, unit: "", in: 1...1_000)
        },
        Key(name: "ClientsPerUserMax") { (text, profile) throws(Wrong) in
          profile.clients.clientsPerUserMax = try ProfileValue.count(
            text, unit: "", in: 1...1_000)
        },
        Key(name: "SequencesMax") { (text, profile) throws(Wrong) in
          profile.clients.sequencesMax = try ProfileValue.count(text, unit: "", in: 1...1_000)
        },
      ])
  }

  mutating func take(_ assignment: ProfileText.Assignment) {
    let sections = ProfileReading.sections
    guard let section = sections.first(where: { $0.name == assignment.section }) else {
      complainOnce(of: assignment, known: sections.map { $0.name })
      return
    }
    guard let key = section.keys.first(where: { $0.name == assignment.key }) else {
      let wanted = ProfileReading.advice(assignment.key, among: section.keys.map { $0.name }) {
        $0
      }
      complain(assignment, "[\(section.name)] has no such key, \(wanted)")
      return
    }
    let earlier = seen.first { $0.section == section.name && $0.key == key.name }
    if let earlier {
      complain(assignment, "was set in line \(earlier.line) already, keep one of the two")
      return
    }
    seen.append(assignment)
    do throws(Wrong) {
      try key.take(assignment.value, &profile)
    } catch {
      complain(assignment, error.text)
    }
  }

  /// What no key can see alone.
  mutating func checkTogether() {
    guard profile.receiver.rateHz > profile.receiver.rateMaxHz, complaints.isEmpty else { return }
    for assignment in seen where assignment.key == "Rate" || assignment.key == "RateMax" {
      complain(
        assignment,
        "Rate (\(profile.receiver.rateHz) Hz) is above RateMax (\(profile.receiver.rateMaxHz) Hz), "
          + "lower the one or raise the other")
      return
    }
  }

  /// An unknown section is complained of where it first matters, not at each of its keys.
  private mutating func complainOnce(of assignment: ProfileText.Assignment, known: [String]) {
    let name = "[\(ProfileText.shown(assignment.section))]"
    if complaints.contains(where: { $0.key == name }) { return }
    let wanted = ProfileReading.advice(assignment.section, among: known) { "[\($0)]" }
    complaints.append(
      .init(line: assignment.line, key: name, text: "there is no such section, \(wanted)"))
  }

  private mutating func complain(_ assignment: ProfileText.Assignment, _ text: String) {
    complaints.append(
      .init(line: assignment.line, key: ProfileText.shown(assignment.key), text: text))
  }

  private static func advice(
    _ word: String, among known: [String], _ form: (String) -> String
  ) -> String {
    if let meant = Spelling.nearest(to: word, among: known) {
      return "did you mean \(form(meant))?"
    }
    return "it may be one of " + known.map(form).joined(separator: " ")
  }
}
