import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// The sentences about lists without rows, beside a daemon that follows a script.
struct EmptyListTests {
  /// A command, its sentence about all apps, and its sentence about the apps of the caller.
  struct List: CustomTestStringConvertible, Sendable {
    let words: [String]
    let all: String
    let own: String

    var testDescription: String { words.joined(separator: " ") }
  }

  static let lists = [
    List(words: ["apps"], all: "no apps", own: "no apps of yours"),
    List(words: ["grants"], all: "no answers", own: "no answers about apps of yours"),
    List(
      words: ["prompts"], all: "no app has an open request",
      own: "no app of yours has an open request"),
    List(
      words: ["who"], all: "locations are not used now", own: "no app of yours uses locations now"),
    List(
      words: ["audit"],
      all: "no app has used locations in the background, and no console was unlocked",
      own: "no app of yours has used locations in the background"),
    List(
      words: ["audit", "--since", "2026-09-21"],
      all: "no app has used locations in the background since 2026-09-21T00:00:00Z, "
        + "and no console was unlocked",
      own: "no app of yours has used locations in the background since 2026-09-21T00:00:00Z"),
  ]

  /// The output of a command for an answer without rows.
  private static func output(_ words: [String], isOwn: Bool) throws -> String {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(words)
    try daemon.welcome(version: WireLimits.versionMax)
    var number: UInt32?
    if case .request(let request, .consent) = try daemon.hear() { number = request }
    let request = try #require(number, "no list is asked for")
    if isOwn { try daemon.say(.ownApps(request: request)) }
    try daemon.say(.rows(request: request, isLast: true, []))
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0) && complaint == "")
    return output
  }

  @Test(arguments: lists) func anEmptyListStatesWhoseAppsItHas(_ list: List) throws {
    #expect(try Self.output(list.words, isOwn: false) == list.all + "\n")
    #expect(try Self.output(list.words, isOwn: true) == list.own + "\n")
  }

  @Test(arguments: [false, true])
  func anEmptyListIsNoObjectForPrograms(_ isOwn: Bool) throws {
    #expect(try Self.output(["who", "--json"], isOwn: isOwn) == "")
  }
}
