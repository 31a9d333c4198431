import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// A right lapses in the event in which a connection, a sequence or a session ends.
@Suite struct LapsedRightTests {
  @Test func anEndedConnectionGetsNoMessageOfARightThatLapses() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    let other = desk.run(ConsentDesk.tracker)
    desk.fix()
    desk.request(.home)
    // The timer of the grace is late: the end of the connection is the first event after it.
    desk.desk.now = desk.desk.now + .seconds(11)
    desk.desk.end(app)
    #expect(desk.seen(app) == "f")
    #expect(desk.seen(other) == "fi")
  }

  @Test func aClosedSequenceGetsNoMessageOfARightThatLapses() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", nil))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.desk.open(app, 2)
    desk.request(.home)
    // The timer of the grace is late: the end of a sequence is the first event after it.
    desk.desk.now = desk.desk.now + .seconds(11)
    let start = desk.desk.effects.count
    desk.desk.close(app, 2)
    let reached = desk.desk.effects[start...].compactMap { effect -> [UInt32]? in
      guard case .client(app, .deliver(let sequences, _)) = effect else { return nil }
      return sequences.map(\.number)
    }
    #expect(reached == [[1]])
  }

  @Test func messagesToAnEndedSequenceOrSessionHaveNoReceiver() {
    let (client, other) = (ClientID(number: 7), ClientID(number: 8))
    let (session, sequence) = (SessionID(number: 1), SequenceID(number: 1))
    let diagnostic = Effect.client(client, .sessionDiagnostic(session, []))
    let end = Effect.client(client, .endUpdates(sequence, reason: "too many"))
    #expect(diagnostic.remaining(after: .sessionClosed(session), of: client) == nil)
    #expect(end.remaining(after: .updatesClosed(sequence), of: client) == nil)
    for effect in [diagnostic, end] {
      #expect(effect.remaining(after: .sessionClosed(session), of: other) == effect)
      #expect(effect.remaining(after: .sessionClosed(SessionID(number: 2)), of: client) == effect)
      #expect(effect.remaining(after: .updatesClosed(SequenceID(number: 2)), of: client) == effect)
    }
  }
}
