public import VirtualWire

/// The state machine of a virtual board's GPIO chip and the parts at its lines: orders in, answers out.
///
/// One connection at a time claims a line, as in the kernel. The first of these sources that is active sets a line's
/// voltage: a fault that sticks the line, a drive from outside (a pressed button, a finger on the wire), the wire from
/// another line, the claim that uses the line as an output, the resistor inside the chip, the resistor outside.
public struct VirtualLines: Equatable, Sendable {
  /// An answer and its connection.
  public struct Reply: Equatable, Sendable {
    public var connection: Int
    public var answer: LineAnswer
  }

  private var lines: [Line]
  private let parts: [VirtualPart]
  private var isPlugged = true

  private struct Line: Equatable, Sendable {
    let name: String
    var holder = Holder.unclaimed
    var outside = ControlOrder.Drive.nothing
    var fault = ControlOrder.Drive.nothing
    /// The last level that the claim got, for edges.
    var wasActive = false
  }

  private enum Holder: Equatable, Sendable {
    case unclaimed
    /// A program other than the tested program.
    case otherProgram(consumer: String)
    case connection(Int, LineClaim)
  }

  /// - Parameters:
  ///   - names: the lines, each name once.
  ///   - parts: the parts that are wired to the lines; parts at absent lines have no effect.
  public init(names: [String], parts: [VirtualPart]) {
    lines = names.map { Line(name: $0) }
    self.parts = parts
  }

  /// The lines of a board's header: `GPIO0` to `GPIO27`.
  public static let headerNames = (0..<28).map { "GPIO\($0)" }

  // MARK: Claims

  /// Takes one order of a connection; `clock` is the time of `CLOCK_MONOTONIC` in nanoseconds.
  public mutating func take(
    _ order: LineOrder, from connection: Int, clock: Int64, into replies: inout [Reply]
  ) {
    switch order {
    case .claim(let new): claim(new, connection, clock: clock, into: &replies)
    case .set(let ticket, let isActive):
      guard let index = index(of: connection), case .connection(_, var claim) = lines[index].holder
      else { return }
      guard case .output = claim.use else {
        let text = "\(lines[index].name) is an input and cannot be driven"
        return replies.append(
          Reply(connection: connection, answer: .failed(ticket: ticket, text: text)))
      }
      claim.use = .output(isActive: isActive)
      lines[index].holder = .connection(connection, claim)
      replies.append(
        Reply(
          connection: connection, answer: .value(ticket: ticket, isActive: level(index, claim))))
      reportEdges(clock: clock, into: &replies)
    case .get(let ticket):
      guard let index = index(of: connection), case .connection(_, let claim) = lines[index].holder
      else { return }
      replies.append(
        Reply(
          connection: connection, answer: .value(ticket: ticket, isActive: level(index, claim))))
    }
  }

  /// Whether a connection holds a line.
  public func hasClaim(_ connection: Int) -> Bool { index(of: connection) != nil }

  /// Frees the line of a connection that has ended.
  public mutating func released(by connection: Int, clock: Int64, into replies: inout [Reply]) {
    guard let index = index(of: connection) else { return }
    lines[index].holder = .unclaimed
    reportEdges(clock: clock, into: &replies)
  }

  private mutating func claim(
    _ claim: LineClaim, _ connection: Int, clock: Int64, into replies: inout [Reply]
  ) {
    func refuse(_ kind: LineAnswer.RefusalKind, _ text: String) {
      replies.append(Reply(connection: connection, answer: .refused(.init(kind, text))))
    }
    guard isPlugged else { return refuse(.chipMissing, "the chip is not on the board") }
    guard let index = lines.firstIndex(where: { $0.name == claim.line }) else {
      return refuse(.lineMissing, "there is no line \(claim.line)")
    }
    if let consumer = consumer(of: lines[index]) {
      return refuse(.busy, "\(claim.line) is held by '\(consumer)'")
    }
    lines[index].holder = .connection(connection, claim)
    let isActive = level(index, claim)
    lines[index].wasActive = isActive
    replies.append(
      Reply(
        connection: connection, answer: .granted(isActive: isActive, isDebounced: false)))
    reportEdges(clock: clock, into: &replies)
  }

  // MARK: The person at the board

  /// Takes one order of the person at the board.
  public mutating func take(
    _ order: ControlOrder, clock: Int64, into replies: inout [Reply]
  ) -> ControlAnswer {
    switch order {
    case .press(let part, let isPressed):
      guard let button = button(part), let index = index(named: button.line) else {
        return .failed("there is no button \(part); there are \(buttonNames)")
      }
      lines[index].outside = !isPressed ? .nothing : button.isPressedHigh ? .high : .low
    case .drive(let line, let drive):
      guard let index = index(named: line) else { return .failed("there is no line \(line)") }
      lines[index].outside = drive
    case .stick(let line, let drive):
      guard let index = index(named: line) else { return .failed("there is no line \(line)") }
      lines[index].fault = drive
    case .read(let line):
      guard let index = index(named: line) else { return .failed("there is no line \(line)") }
      return .line(state(index))
    case .steal(let line, let consumer):
      return steal(line, by: consumer, clock: clock, into: &replies)
    case .plugLines(let isPlugged):
      plug(isPlugged, into: &replies)
    case .parts:
      return .parts(partList)
    case .chip, .bus:
      return .failed("this is about a bus, not about lines")
    }
    reportEdges(clock: clock, into: &replies)
    return .done
  }

  private mutating func steal(
    _ line: String, by consumer: String, clock: Int64, into replies: inout [Reply]
  ) -> ControlAnswer {
    guard let index = index(named: line) else { return .failed("there is no line \(line)") }
    switch lines[index].holder {
    case .connection where !consumer.isEmpty:
      return .failed("\(line) is held by '\(self.consumer(of: lines[index]) ?? "")'")
    case .connection: return .failed("\(line) is not held by another program")
    case .unclaimed, .otherProgram:
      lines[index].holder = consumer.isEmpty ? .unclaimed : .otherProgram(consumer: consumer)
      reportEdges(clock: clock, into: &replies)
      return .done
    }
  }

  private mutating func plug(_ isPlugged: Bool, into replies: inout [Reply]) {
    self.isPlugged = isPlugged
    guard !isPlugged else { return }
    for index in lines.indices {
      if case .connection(let connection, _) = lines[index].holder {
        replies.append(
          Reply(connection: connection, answer: .gone(text: "the chip has left the board")))
      }
      lines[index].holder = .unclaimed
    }
  }

  // MARK: Levels

  /// Whether a line has the high level.
  private func isHigh(_ index: Int, depth: Int = 0) -> Bool {
    let line = lines[index]
    for drive in [line.fault, line.outside] {
      switch drive {
      case .low: return false
      case .high: return true
      case .nothing: continue
      }
    }
    if depth < 4, let source = wireSource(line.name) { return isHigh(source, depth: depth + 1) }
    if case .connection(_, let claim) = line.holder {
      if case .output(let isActive) = claim.use { return isActive != claim.isActiveLow }
      switch claim.bias {
      case .pullUp: return true
      case .pullDown: return false
      case .none, .asIs: break
      }
    }
    return restsHigh(line.name)
  }

  /// The level as active or inactive, according to the claim.
  private func level(_ index: Int, _ claim: LineClaim) -> Bool {
    isHigh(index) != claim.isActiveLow
  }

  private mutating func reportEdges(clock: Int64, into replies: inout [Reply]) {
    for index in lines.indices {
      guard case .connection(let connection, let claim) = lines[index].holder,
        claim.use == .edges
      else { continue }
      let isActive = level(index, claim)
      if isActive == lines[index].wasActive { continue }
      lines[index].wasActive = isActive
      replies.append(
        Reply(connection: connection, answer: .edge(isActive: isActive, nanoseconds: clock)))
    }
  }

  // MARK: Parts

  private func restsHigh(_ name: String) -> Bool {
    for case .button(_, name, let isPressedHigh) in parts { return !isPressedHigh }
    return false
  }

  private func wireSource(_ name: String) -> Int? {
    for case .wire(let from, name) in parts { return index(named: from) }
    return nil
  }

  private func button(_ part: String) -> (line: String, isPressedHigh: Bool)? {
    for case .button(let name, let line, let isPressedHigh) in parts
    where name == part || line == part {
      return (line, isPressedHigh)
    }
    return nil
  }

  private var partList: [ControlAnswer.Part] {
    parts.compactMap { part in
      switch part {
      case .button(let name, let line, _): .init(.button, name: name, line: line)
      case .lamp(let name, let line): .init(.lamp, name: name, line: line)
      case .wire: nil
      }
    }
  }

  /// A lamp and whether it is lit, or a button and whether it is pressed.
  public struct PartState: Equatable, Sendable {
    public let part: ControlAnswer.Part
    public let isOn: Bool
  }

  /// The states of lamps and buttons now.
  public var partStates: [PartState] {
    partList.map { part in
      let isOn =
        switch part.kind {
        case .lamp: index(named: part.line).map { isHigh($0) } ?? false
        case .button: isPressed(part)
        }
      return PartState(part: part, isOn: isOn)
    }
  }

  private func isPressed(_ part: ControlAnswer.Part) -> Bool {
    guard let button = button(part.name), let index = index(named: button.line) else {
      return false
    }
    return lines[index].outside == (button.isPressedHigh ? .high : .low)
  }

  private var buttonNames: String {
    let names = partList.filter { $0.kind == .button }.map(\.name)
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }

  private func state(_ index: Int) -> ControlAnswer.LineState {
    let use: ControlAnswer.LineState.Use =
      switch lines[index].holder {
      case .unclaimed: .unclaimed
      case .otherProgram: .input
      case .connection(_, let claim):
        switch claim.use {
        case .output: .output
        case .input, .edges: .input
        }
      }
    return .init(
      isHigh: isHigh(index), use: use, consumer: consumer(of: lines[index]) ?? "")
  }

  private func consumer(of line: Line) -> String? {
    switch line.holder {
    case .unclaimed: nil
    case .otherProgram(let consumer): consumer
    case .connection(_, let claim): claim.consumer
    }
  }

  private func index(named name: String) -> Int? {
    lines.firstIndex { $0.name == name }
  }

  private func index(of connection: Int) -> Int? {
    lines.firstIndex { line in
      if case .connection(connection, _) = line.holder { true } else { false }
    }
  }
}
