import BinnacleBasics
import BinnacleModel
public import BinnaclePosix
import BinnacleText
import LiveView
import Verbs

/// A person at a terminal: a prompt, commands, and what the daemon wants to say meanwhile.
///
/// The session has one poll for keyboard, daemon, signals and the command that runs, and each wait of the editor is this poll.
/// A command is this program once more, on a terminal of its own, so that whatever it does, Ctrl-C brings the prompt back.
public final class ConsoleSession {
  /// The end of a session.
  public enum End: Equatable, Sendable {
    /// `exit` or Ctrl-D.
    case left
    /// The cable was pulled, or the terminal was closed.
    case lineGone
    /// SIGTERM.
    case stopped
  }

  /// The most bytes that are kept while they cannot be used.
  static let typedMax = 1_024

  let line: ConsoleLine
  let verbs: ConsoleVerbs
  let runtimeDirectory: String?
  private let signals: Signals
  var daemon: DaemonWatch
  private var history: CommandHistory
  private var editor: LineEditor?
  private var poll = Poll()
  private(set) var end: End?

  /// Bytes of the keyboard that no line has taken yet.
  private var typed: [UInt8] = []
  /// Whether Ctrl-C has ended the line that was being typed.
  private var isLineDropped = false
  private var isEditing = false
  /// The width of the screen that the editor knows.
  private var columns: Int
  /// The prompt on the screen.
  private var shownPrompt = ""
  /// The activities on the screen, if they are in the line above the prompt.
  private var activityAbove: String?
  private var lastActivity: String?
  private var appNames: (names: [String], at: Instant)?
  /// The command that runs.
  var command: RunningCommand?

  /// - Parameters:
  ///   - line: the terminal.
  ///   - name: the name of the console in the daemon's log, such as `binnacle console on ttyGS0`.
  ///   - isLocked: whether the console begins without the rights of its user, until a PIN unlocks it.
  ///   - kind: the name of the terminal in the terminfo database, such as `vt102`.
  ///   - verbs: the command table.
  ///   - runtimeDirectory: the value of `--runtime`.
  ///   - history: the earlier commands.
  ///   - signals: the signals that the program catches.
  /// - Throws: the error of the system.
  public init(
    _ line: ConsoleLine, name: String, isLocked: Bool = false, kind: String, verbs: ConsoleVerbs,
    runtimeDirectory: String?,
    history: CommandHistory, signals: Signals
  ) throws(Errno) {
    self.line = line
    self.verbs = verbs
    self.runtimeDirectory = runtimeDirectory
    self.signals = signals
    self.history = history
    daemon = DaemonWatch(
      runtimeDirectory: runtimeDirectory, name: name, isLocked: isLocked, at: Clock.now)
    columns = Int(line.window.columns)
    let editor = try LineEditor(kind: kind, historyMax: CommandHistory.linesMax, owner: self)
    for old in history.lines { editor.remember(old) }
    editor.setWindow(line.window)
    self.editor = editor
  }

  /// Runs until the person leaves, the line goes, or the program is stopped.
  public func run() -> End {
    daemon.start(at: Clock.now)
    settleStart()
    say(
      folded(
        "binnacle \(Release.version) on \(daemon.board). 'help' lists commands, '?' explains, 'exit' leaves."
      ))
    while end == nil { readCommand() }
    if end == .left, !line.isAtLineStart { line.put("\n", at: Clock.now) }
    line.flush(at: Clock.now)
    history.save(at: Clock.now)
    return end ?? .left
  }

  /// Waits up to 3 s for the first answer of a daemon that is there, so that the first prompt already has the state.
  ///
  /// A dumb terminal shows its first prompt until the next command, and a busy board may answer late.
  private func settleStart() {
    let limit = Clock.now + .seconds(3)
    while end == nil, daemon.isAwaited, Clock.now < limit { turn(until: limit) }
  }

  // MARK: A line

  private func readCommand() {
    showNotices()
    showActivity()
    shownPrompt = prompt
    isEditing = true
    isLineDropped = false
    let result = editor?.read(prompt: shownPrompt) ?? .end
    isEditing = false
    activityAbove = nil
    switch result {
    case .end:
      end = end ?? .left
    case .cancelled:
      if isLineDropped { say("^C") }
    case .text(let text):
      run(text)
      daemon.askStatus(at: Clock.now)
      history.saveIfDue(at: Clock.now)
    }
  }

  private var prompt: String {
    "\(daemon.board) \(daemon.word)\(daemon.isUnlocked ? " unlocked" : "")> "
  }

  private func run(_ text: String) {
    let typed = CommandWords(text)
    if typed.isQuoteOpen { return say("a quotation mark has no end") }
    var words = typed.words
    if words.first == "binnacle" { words.removeFirst() }
    guard let first = words.first else { return }
    if history.isKept(text) {
      history.note(text)
      editor?.remember(text)
    }
    if first == "unlock" { return unlock(Array(words.dropFirst())) }
    if words == ["lock"] { return lock() }
    if words == ["exit"] || words == ["logout"] {
      end = .left
      return
    }
    if first == "console" { return say("this is the console") }
    if let help = ownHelp(words) { return say(folded(help)) }
    switch verbs.meaning(words) {
    case .show(let text): show(words == ["help"] ? text + ownWords : text)
    case .wrong(let text): say(folded(PlainText.lines(text)))
    case .run(let isInteractive): run(words, isInteractive: isInteractive)
    }
  }

  // MARK: Waiting

  /// One wait for everything, at most until a limit.
  func turn(until limit: Instant? = nil) {
    var now = Clock.now
    poll.removeAll()
    var interest: Poll.Interest = line.wantsToWrite(at: now) ? .writing : []
    if typed.count < ConsoleSession.typedMax || command != nil { interest.insert(.reading) }
    poll.set(line.descriptor, interest)
    poll.set(signals.descriptor, .reading)
    if let descriptor = daemon.descriptor {
      poll.set(descriptor, daemon.wantsToWrite ? [.reading, .writing] : .reading)
    }
    command?.watch(with: &poll, isOutputWanted: !line.isBusy)
    let dueAt = earlier(
      earlier(limit, daemon.nextDeadline(at: now)),
      earlier(line.nextRoom(at: now), command?.killAt))
    guard (try? poll.wait(until: dueAt)) != nil else {
      end = .stopped
      return
    }
    now = Clock.now
    takeSignals(at: now)
    if let descriptor = daemon.descriptor {
      let readiness = poll.readiness(of: descriptor)
      if !readiness.isEmpty { daemon.ready(readiness, at: now) }
    }
    daemon.deadlineReached(at: now)
    lookAtLine(at: now)
    if command != nil { lookAtCommand(poll, at: now) }
    line.flush(at: now)
    if line.isGone { end = end ?? .lineGone }
  }

  private func lookAtLine(at now: Instant) {
    let readiness = poll.readiness(of: line.descriptor)
    if readiness.contains(.readable) {
      let bytes = line.read()
      if !bytes.isEmpty { daemon.keyPressed(at: now) }
      if command == nil { typed += bytes } else { typedWhileRunning(bytes, at: now) }
    } else if !readiness.isDisjoint(with: [.hungUp, .failed, .invalid]) {
      line.lost()
    }
  }

  private func takeSignals(at now: Instant) {
    while let signal = signals.next() {
      switch signal {
      case .terminate: end = .stopped
      case .hangUp: end = end ?? .lineGone
      case .interrupt: interrupted(at: now)
      case .windowChanged: windowChanged()
      case .user1, .user2, .stop, .continued: continue
      }
    }
  }

  private func windowChanged() {
    let narrower = min(columns, Int(line.window.columns))
    columns = Int(line.window.columns)
    editor?.setWindow(line.window)
    command?.child.setWindow(line.window)
    guard isEditing else { return }
    // The editor draws from the first column on.
    clearLine(columns: narrower)
    redrawLine()
  }

  private func interrupted(at now: Instant) {
    if command == nil { typed.append(Key.controlC) } else { interruptCommand(at: now) }
  }

  /// Keeps bytes for the next line.
  func keepTyped(_ bytes: some Collection<UInt8>) {
    typed += bytes.prefix(max(0, ConsoleSession.typedMax - typed.count))
  }

  func forgetTyped() { typed.removeAll() }

  /// Drops the keys up to a Ctrl-C; false without one.
  func takeControlC() -> Bool {
    guard let index = typed.firstIndex(of: Key.controlC) else { return false }
    typed.removeFirst(index + 1)
    return true
  }

  /// The next key, if one was pressed.
  func takeKey() -> UInt8? { typed.isEmpty ? nil : typed.removeFirst() }

  // MARK: Output

  /// Prints text that is plain already, with a line feed.
  func say(_ text: String) {
    let start = line.isAtLineStart ? "" : "\n"
    line.put(start + text + "\n", at: Clock.now)
  }

  /// Text in lines as wide as the screen; lines that begin with a blank are commands and stay whole.
  func folded(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(" ") ? [String(line)] : pieces(String(line))
    }.joined(separator: "\n")
  }

  /// A line in pieces as wide as the screen, the later ones as far from the left as the first.
  private func pieces(_ text: String) -> [String] {
    FoldedLine.pieces(
      text, hang: text.prefix { $0 == " " }.count, columns: Int(line.window.columns))
  }

  /// Prints text with the pace of the line; Ctrl-C takes the rest back.
  private func show(_ text: String) {
    for row in PlainText.lines(text).split(separator: "\n", omittingEmptySubsequences: false) {
      while line.isBusy, end == nil {
        turn()
        if let index = typed.firstIndex(of: Key.controlC) {
          typed.removeFirst(index + 1)
          line.discard(at: Clock.now)
          return say("^C")
        }
      }
      for piece in pieces(String(row)) { line.put(piece + "\n", at: Clock.now) }
    }
  }

  /// Shows the notices of the daemon, then the input line again.
  func showNotices() {
    let notices = daemon.takeNotices()
    if notices.isEmpty { return }
    if isEditing { clearLine() }
    activityAbove = nil
    for notice in notices { say(folded(PlainText.lines(notice))) }
    if isEditing { redrawLine() }
  }

  /// Removes the line that is being typed from the screen, if it is one row.
  private func clearLine() { clearLine(columns: columns) }

  /// Removes the line from a screen of another width.
  private func clearLine(columns: Int) {
    guard let editor else { return }
    let width = (shownPrompt + editor.line.whole).count
    let now = Clock.now
    if width >= columns {
      line.put("\n", at: now)
    } else if editor.hasEscapes {
      line.put("\r\u{1B}[K", at: now)
    } else {
      line.put("\r" + String(repeating: " ", count: width) + "\r", at: now)
    }
    line.startedLine()
  }

  private func redrawLine() {
    shownPrompt = prompt
    editor?.redraw(prompt: shownPrompt)
  }

  // MARK: Live activities

  /// Before a prompt: the activities, if they have changed.
  private func showActivity() {
    guard daemon.activity != lastActivity else { return }
    lastActivity = daemon.activity
    guard let text = activityLine else { return }
    say(text)
    activityAbove = text
  }

  /// The line of the activities, at most as wide as the screen.
  private var activityLine: String? {
    daemon.activity.map { GlyphWidth.clipped("[\($0)]", to: Int(line.window.columns) - 1) }
  }

  /// While a line is being typed: the activities in the line above it, which a dumb terminal cannot change.
  private func refreshPrompt() {
    guard let editor, editor.hasEscapes else { return }
    if daemon.activity != lastActivity, let text = activityLine {
      lastActivity = daemon.activity
      let isAbove = activityAbove != nil
      clearLine()
      line.put(isAbove ? "\u{1B}[A\u{1B}[2K\(text)\n" : "\(text)\n", at: Clock.now)
      activityAbove = text
      return redrawLine()
    }
    guard shownPrompt != prompt else { return }
    clearLine()
    redrawLine()
  }

  // MARK: Completion

  /// The names of a kind that may stand in a line.
  func names(_ kind: VerbNames) -> [String] {
    switch kind {
    case .apps:
      let now = Clock.now
      if let known = appNames, now - known.at < .seconds(10) { return known.names }
      let names = AppNames.ask(runtimeDirectory: runtimeDirectory, rights: daemon.rights)
      appNames = (names, now)
      return names
    case .settings: return verbs.settings()
    }
  }
}

extension ConsoleSession: LineEditorOwner {
  func nextByte() -> UInt8? {
    while true {
      if daemon.hasNotices { showNotices() } else { refreshPrompt() }
      if end != nil { return nil }
      if let byte = typed.first {
        typed.removeFirst()
        guard byte == Key.controlC else { return byte }
        isLineDropped = true
        return nil
      }
      turn()
    }
  }

  func print(_ bytes: UnsafeRawBufferPointer) { line.put(bytes, at: Clock.now) }

  func asked(_ question: LineEditor.Question) {
    guard let editor else { return }
    let completion = Completion(
      offers(behind: editor.line.beforeCursor), names: { self.names($0) })
    switch question {
    case .completion:
      if let text = completion.insertion { return editor.insert(text) }
      let list = completion.list(columns: Int(line.window.columns))
      if list.isEmpty { return line.put("\u{7}", at: Clock.now) }
      showBelow(list)
    case .explanation: showBelow(completion.explanation)
    }
  }

  /// Prints text below the line, and the line again.
  private func showBelow(_ text: String) {
    activityAbove = nil
    line.put("\n" + PlainText.lines(text) + "\n", at: Clock.now)
    redrawLine()
  }
}
