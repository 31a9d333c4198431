import BinnacleModel
import BinnacleWire
import Foundation
import Testing

@testable import CoreLocation

/// Both forms of a manager's request for full accuracy.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct FullAccuracyTests {
  private let id = SessionID(number: 1)
  private let desk: DelegateDesk

  init() async throws {
    desk = try await DelegateDesk()
  }

  /// The answers to a request with a completion.
  private func answers(_ key: String = "delivery") -> AsyncStream<String> {
    let (answers, answered) = AsyncStream<String>.makeStream()
    desk.manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: key) {
      @Sendable error in
      answered.yield(error.map { "error \(DelegateEar.code($0))" } ?? "no error")
    }
    return answers
  }

  /// The daemon asks a person, and the person answers.
  private func answerRequest() async throws {
    #expect(
      await desk.daemon.next() == .sessionOpened(id, .fullAccuracyRequest(purpose: "delivery")))
    try desk.daemon.send(.sessionDiagnostic(id, .authorizationRequestInProgress))
    try desk.daemon.send(.sessionDiagnostic(id, []))
  }

  @Test func theCompletionHasNoErrorAfterAnAnswer() async throws {
    var words = answers().makeAsyncIterator()
    try await answerRequest()
    #expect(await desk.daemon.next() == .sessionClosed(id))
    #expect(await words.next() == "no error")
  }

  @Test func theCompletionHasAnErrorIfTheUserWasNotAsked() async throws {
    var words = answers().makeAsyncIterator()
    #expect(
      await desk.daemon.next() == .sessionOpened(id, .fullAccuracyRequest(purpose: "delivery")))
    try desk.daemon.send(.sessionDiagnostic(id, .fullAccuracyDenied))
    #expect(await words.next() == "error 18")
  }

  @Test(arguments: [
    "", String(repeating: "k", count: 101), "k" + String(repeating: "\u{301}", count: 99),
  ])
  func aKeyThatNoMessageCanCarryIsAnsweredAsAnUnknownKey(_ key: String) async throws {
    var words = answers(key).makeAsyncIterator()
    desk.manager.startUpdatingLocation()
    // The request is no object of the daemon, which would end the connection.
    #expect(await desk.daemon.next() == .opened(SequenceID(number: 1), .default))
    #expect(await words.next() == "error 18")
    withExtendedLifetime(desk) {}
  }

  @Test func theLongestKeyIsSent() async throws {
    let key = String(repeating: "k", count: 100)
    var words = answers(key).makeAsyncIterator()
    #expect(await desk.daemon.next() == .sessionOpened(id, .fullAccuracyRequest(purpose: key)))
    try desk.daemon.send(.sessionDiagnostic(id, .fullAccuracyDenied))
    #expect(await words.next() == "error 18")
  }

  @Test func theAsynchronousFormReturnsAfterAnAnswer() async throws {
    let manager = desk.manager
    let request = Task { @MainActor in
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "delivery")
    }
    try await answerRequest()
    #expect(await desk.daemon.next() == .sessionClosed(id))
    try await request.value
  }
}
