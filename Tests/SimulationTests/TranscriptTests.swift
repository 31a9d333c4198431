import BinnacleBasics
import BinnacleModel
import LocationEngine
import Simulation
import Testing

/// The lines of `binnacle-sim replay`.
struct TranscriptTests {
  @Test func anEventNamesItsClientAndItsSequence() {
    let event = Event.client(
      ClientID(number: 13), .updatesClosed(SequenceID(number: 2)))
    let line = Transcript.line(.zero, event)
    #expect(line.contains("client 13") && line.contains("sequence 2"), "\(line)")
    #expect(!line.contains("ID(number:"), "\(line)")
  }
}
