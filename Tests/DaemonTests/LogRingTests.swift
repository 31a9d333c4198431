import BinnacleBasics
import BinnacleModel
import Testing

@testable import Daemon

struct LogRingTests {
  @Test func theLatestThousandLinesAreKeptInOrder() {
    let ring = LogRing()
    for number in 0..<1_234 {
      ring.append(
        "line \(number)", level: number % 2 == 0 ? .info : .debug,
        at: UTCTime(secondsSince1970: Int64(number), nanoseconds: 0))
    }
    let all = ring.rows(upTo: .debug)
    #expect(all.count == LogRing.linesMax && ring.count == 1_234)
    #expect(all.first?[.rowLogText] == "line 234" && all.last?[.rowLogText] == "line 1233")
    #expect(all.last?[.rowLoggedAt] == "1970-01-01T00:20:33.000Z")
    #expect(ring.rows(upTo: .info).count == 500)
    #expect(
      ring.rows(from: 1_232, upTo: .debug).map { $0[.rowLogText] } == ["line 1232", "line 1233"])
    #expect(ring.rows(from: 1_234, upTo: .debug).isEmpty)
  }

  /// Appends a line whose time is its number.
  private func append(_ text: String, from source: LogSource, to ring: LogRing) {
    ring.append(
      text, level: .warning, from: source,
      at: UTCTime(secondsSince1970: Int64(ring.count), nanoseconds: 0))
  }

  private func texts(_ ring: LogRing, from number: Int = 0) -> [String] {
    ring.rows(from: number, upTo: .debug).compactMap { $0[.rowLogText] }
  }

  @Test func linesOfClientsDoNotPushOutLinesAboutTheBoard() {
    let ring = LogRing()
    append("the receiver is lost", from: .board, to: ring)
    for number in 0..<5_000 {
      append("client \(number)", from: number % 2 == 0 ? .user(1_000) : .clients, to: ring)
      if number == 2_500 { append("location services: off", from: .board, to: ring) }
    }
    let texts = texts(ring)
    #expect(texts.count == LogRing.linesMax && ring.count == 5_002)
    #expect(texts.prefix(2) == ["the receiver is lost", "location services: off"])
    let ofClients = (4_002..<5_000).map { "client \($0)" }
    #expect(Array(texts.dropFirst(2)) == ofClients)
    #expect(self.texts(ring, from: 5_000) == ["client 4998", "client 4999"])
  }

  @Test func linesAboutTheBoardPushOutOlderLinesOfAnySource() {
    let ring = LogRing()
    for number in 0..<1_000 { append("client \(number)", from: .user(1_000), to: ring) }
    for number in 0..<1_000 { append("board \(number)", from: .board, to: ring) }
    #expect(texts(ring).count == LogRing.linesMax)
    // The last lines of clients are older than each line about the board.
    #expect(texts(ring).first == "board 0" && texts(ring).last == "board 999")
  }

  @Test func theListingKeepsTheOrderOfTime() {
    let ring = LogRing()
    for number in 0..<3_000 {
      append("line \(number)", from: number % 3 == 0 ? .board : .clients, to: ring)
    }
    let rows = ring.rows(upTo: .debug)
    let times = rows.compactMap { $0[.rowLoggedAt] }
    #expect(rows.count == LogRing.linesMax && times == times.sorted())
    let ofBoard = rows.compactMap { $0[.rowLogText] }.compactMap { Int($0.dropFirst(5)) }
      .count { $0 % 3 == 0 }
    #expect(ofBoard >= LogRing.linesMax - LogRing.clientLinesMax - 1)
  }
}
