/// The rules that the compiler and the formatter do not check; each returns the lines that break it.
enum Rules {
  static let all: [@Sendable (SourceFile) -> [Complaint]] = [
    imports, lengths, mainType, names, forcing, uncheckedSendability, hashedOrder, openEnds,
    trailingCommas, sleeping, leavingSilently, riddles, riddlesInNames, drawnCases,
  ]

  static let functionLinesMax = 70
  static let fileLinesMax = 600

  /// A pure target imports the targets that it may use and nothing else; a Linux target no Foundation; the client
  /// library says of each import whether it is public (Package.swift has the reason).
  static func imports(_ file: SourceFile) -> [Complaint] {
    guard let target = Architecture.targets.first(where: { $0.name == file.target }) else {
      return []
    }
    let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    var found: [Complaint] = []
    for (index, token) in file.tokens.enumerated() where token.text == "import" {
      let rest = file.tokens[(index + 1)...].prefix(2).map(\.text)
      guard let module = rest.first(where: { !kinds.contains($0) }) else { continue }
      if ["CoreLocation", "AppRuntime"].contains(target.name),
        index == 0
          || !["public", "package", "internal"].contains(file.tokens[index - 1].text)
      {
        found.append(
          file.complaint(
            token.line, "say internal import \(module), or package or public import"))
      }
      let isAllowed =
        switch target.kind {
        case .pure: target.uses.contains(Architecture.folder(ofModule: module))
        case .linux: !module.hasPrefix("Foundation") && module != "Dispatch"
        case .app: module != "Dispatch"
        }
      if !isAllowed {
        found.append(
          file.complaint(token.line, "\(target.name) is \(target.kind): no import of \(module)"))
      }
    }
    return found
  }

  /// A function fits a screen, a file an hour.
  static func lengths(_ file: SourceFile) -> [Complaint] {
    var found: [Complaint] = []
    if file.lineCount > fileLinesMax {
      found.append(file.complaint(1, "\(file.lineCount) lines; \(fileLinesMax) at most"))
    }
    for function in file.functions {
      let count = function.lastLine - function.firstLine + 1
      if count > functionLinesMax {
        found.append(
          file.complaint(
            function.firstLine,
            "\(function.name) has \(count) lines; \(functionLinesMax) at most"))
      }
    }
    return found
  }

  /// A file of `Sources` has the name of its one main type, with `+Purpose` when it extends it; a few
  /// small types share a file whose name is a plural.
  static func mainType(_ file: SourceFile) -> [Complaint] {
    guard file.path.hasPrefix("Sources/"), file.stem != "main" else { return [] }
    let types = file.types.filter { $0.depth == 0 && !$0.isPrivate }
    let subject = file.stem.split(separator: "+").first.map(String.init) ?? ""
    let names = types.map(\.name)
    guard !file.stem.contains("+"), !names.isEmpty, !names.contains(subject) else { return [] }
    if types.count > 1, subject.hasSuffix("s") { return [] }
    return [
      file.complaint(
        types[0].line,
        "the file has the name of none of its types (\(names.joined(separator: " ")))")
    ]
  }

  /// A name says what a thing is; these words say nothing.
  static func names(_ file: SourceFile) -> [Complaint] {
    let banned = ["Manager", "Helper", "Util", "Utils", "Handler", "Info", "Data", "Base", "Impl"]
    let excepted = [
      "TestData", "CLLocationManager", "CLLocationManagerDelegate", "LocationsHandler",
    ]
    var declared = file.types.map { (name: $0.name, line: $0.line) }
    declared.append((name: file.stem, line: 1))
    return declared.flatMap { name, line -> [Complaint] in
      if let term = fieldTerms[name] { return [file.complaint(line, "\(name) is called \(term)")] }
      if excepted.contains(name) { return [] }
      return camelCaseWords(of: name).filter(banned.contains).map {
        file.complaint(line, "\(name): \($0) says nothing")
      }
    }
  }

  /// Names of our own that the field has a term for.
  private static let fieldTerms = [
    "Bell": "EventFD", "Scribe": "LogWriter", "I2CDesk": "I2CQueue",
    "DefaultsDesk": "DefaultsService", "Conversation": "ReceiverSession",
    "RaiseMachine": "BaudRateMachine", "ProvenSetup": "VerifiedConfiguration",
    "PositionCarrier": "PositionMessage", "EpochRhythm": "WakeupPredictor",
    "LifeBook": "LifeStatistics", "SleepBook": "SleepStatistics",
    "OnTimeBook": "OnTimeStatistics", "WriteBook": "WriteStatistics",
    "LifeSigns": "WatchdogPacer", "Wakefulness": "ReceiverPowerState",
    "Sleeplessness": "SleepObstacle", "PowerLook": "ScheduledWake", "StateWish": "StateRequest",
    "Asker": "Requester", "Settled": "CommitOutcome", "Servant": "EffectiveUser",
    "PanelTalk": "PanelCheck", "ReceiverTalk": "ReceiverCheck", "Brain": "EngineUnderTest",
    "SimulatedFeeling": "MotionSource", "Knocks": "ImpactNoise",
    "NappingReceiver": "SleepingReceiver", "Recipe": "ChipConfiguration",
    "Running": "SamplingState", "Lapse": "DurationText",
  ]

  /// Nothing is forced: no `!` behind a value, `try` or `as`.
  static func forcing(_ file: SourceFile) -> [Complaint] {
    zip(file.tokens, file.tokens.dropFirst()).compactMap { before, token in
      guard token.text == "!", token.isAttached else { return nil }
      guard before.isWord || [")", "]", "?", "}", "\"\""].contains(before.text) else { return nil }
      return file.complaint(token.line, "\(before.text)! is forced")
    }
  }

  /// `@unchecked Sendable` and its like stand in two targets only, under a sentence why they are safe.
  static func uncheckedSendability(_ file: SourceFile) -> [Complaint] {
    file.tokens.compactMap { token in
      guard token.text == "unchecked" || token.text == "unsafe" && token.isAttached else {
        return nil
      }
      guard ["Posix", "CoreLocation"].contains(file.target) || file.isTest else {
        return file.complaint(token.line, "\(token.text) outside of Posix and CoreLocation")
      }
      let isExplained = file.comments.contains { (token.line - 4...token.line).contains($0.line) }
      return isExplained ? nil : file.complaint(token.line, "\(token.text) without a reason")
    }
  }

  /// Pure code does not walk through dictionaries and sets: their order changes from run to run.
  static func hashedOrder(_ file: SourceFile) -> [Complaint] {
    guard Architecture.targets.contains(where: { $0.name == file.target && $0.kind == .pure })
    else { return [] }
    let hashed = file.hashedNames
    let walks = ["map", "forEach", "filter", "reduce", "keys", "values", "flatMap", "compactMap"]
    var found: [Complaint] = []
    for (index, token) in file.tokens.enumerated() where hashed.contains(token.text) {
      let before = index > 0 ? file.tokens[index - 1].text : ""
      let after = file.tokens[(index + 1)...].prefix(2).map(\.text)
      let isWalked = after.count == 2 && after[0] == "." && walks.contains(after[1])
      if before == "in" && after.first == "{" || isWalked {
        found.append(file.complaint(token.line, "\(token.text) is walked through in no order"))
      }
    }
    return found
  }

  /// Open work is recorded in issues, not in code.
  static func openEnds(_ file: SourceFile) -> [Complaint] {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
    return (file.comments + file.strings).flatMap { passage in
      let words = passage.text.split { !($0.isLetter || $0.isNumber) }
      return marks.filter { words.contains(Substring($0)) }.map {
        file.complaint(passage.line, "\($0) belongs into an issue")
      }
    }
  }

  /// Swift 6.0 takes no comma behind the last argument.
  static func trailingCommas(_ file: SourceFile) -> [Complaint] {
    zip(file.tokens, file.tokens.dropFirst()).compactMap { before, token in
      before.text == "," && token.text == ")"
        ? file.complaint(before.line, "a comma before the closing bracket") : nil
    }
  }

  /// Tests wait for conditions with a limit.
  static func sleeping(_ file: SourceFile) -> [Complaint] {
    guard file.isTest else { return [] }
    let calls = ["sleep", "usleep", "nanosleep"]
    return zip(file.tokens, file.tokens.dropFirst()).compactMap { token, next in
      calls.contains(token.text) && next.text == "(" && next.isAttached
        ? file.complaint(token.line, "\(token.text) in a test") : nil
    }
  }

  /// A test that ends early because a value is another one than it expects has asserted nothing.
  static func leavingSilently(_ file: SourceFile) -> [Complaint] {
    guard file.isTest else { return [] }
    var found: [Complaint] = []
    var (isAnnounced, isInTest) = (false, false)
    for (index, token) in file.tokens.enumerated() {
      let next = file.tokens[(index + 1)...].prefix(3).map(\.text)
      switch token.text {
      case "@": isAnnounced = isAnnounced || next.first == "Test"
      case "func": (isInTest, isAnnounced) = (isAnnounced, false)
      case "else" where isInTest && next == ["{", "return", "}"]:
        found.append(
          file.complaint(token.line, "the test ends without a word; use Issue.record or #require"))
      default: break
      }
    }
    return found
  }

  /// `UBXFrame` is `UBX` and `Frame`, `lastFix` is `last` and `Fix`.
  static func camelCaseWords(of name: String) -> [String] {
    var words: [String] = []
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      let isNext = index + 1 < letters.count && letters[index + 1].isLowercase
      let follows = index > 0 && letters[index - 1].isLowercase
      if words.isEmpty || letter.isUppercase && (isNext || follows) {
        words.append("")
      }
      words[words.count - 1].append(letter)
    }
    return words
  }
}
