import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Foundation
import TestSupport
import Testing

@testable import CoreLocation

/// The objects of background activity sessions and service sessions, beside a daemon that follows a script.
@Suite(.timeLimit(.minutes(1)))
struct SessionObjectTests {
  private let directory: TemporaryDirectory
  private let connection: DaemonConnection

  init() throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let path = directory.path
    connection = DaemonConnection(program: "test") { path }
  }

  private let first = SessionID(number: 1)
  private let second = SessionID(number: 2)

  /// Makes an always-session, which the daemon gets.
  private func alwaysSession(_ daemon: ScriptedDaemon) async -> CLServiceSession {
    let connection = connection
    let session = CLServiceSession(.always, purpose: nil) { connection }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .sessionOpened(first, .service(.always)))
    return session
  }

  @Test func anObjectIsMadeAtOnceAndEndsWithItsLastReference() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let connection = connection
    var session: CLBackgroundActivitySession? = CLBackgroundActivitySession { connection }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .sessionOpened(first, .backgroundActivity))
    _ = session
    session = nil
    #expect(await daemon.next() == .sessionClosed(first))
  }

  @Test func anInvalidatedObjectEndsOnce() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let connection = connection
    let session = CLServiceSession(.whenInUse, purpose: "delivery") { connection }
    #expect(await daemon.next() == .greeted)
    #expect(
      await daemon.next()
        == .sessionOpened(first, .service(.whenInUse, fullAccuracyPurpose: "delivery")))
    session.invalidate()
    session.invalidate()
    let other = CLServiceSession(.none, purpose: nil) { connection }
    #expect(await daemon.next() == .sessionClosed(first))
    #expect(await daemon.next() == .sessionOpened(second, .service(.none)))
    withExtendedLifetime(other) {}
  }

  @Test(arguments: ["", String(repeating: "k", count: 101)])
  func aKeyThatNoMessageCanCarryBecomesAnUnknownPurpose(_ key: String) async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let connection = connection
    let session = CLServiceSession(.whenInUse, purpose: key) { connection }
    #expect(await daemon.next() == .greeted)
    #expect(
      await daemon.next()
        == .sessionOpened(
          first, .service(.whenInUse, fullAccuracyPurpose: AppSession.unknownPurpose)))
    withExtendedLifetime(session) {}
  }

  @Test func diagnosticsBeginWithThePresentOneAndEndWithTheSession() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let session = await alwaysSession(daemon)
    var early = session.diagnostics.makeAsyncIterator()
    try daemon.send(.sessionDiagnostic(first, .authorizationRequestInProgress))
    let asking = try #require(try await early.next())
    #expect(asking.authorizationRequestInProgress && !asking.alwaysAuthorizationDenied)
    var late = session.diagnostics.makeAsyncIterator()
    #expect(try await late.next()?.authorizationRequestInProgress == true)
    try daemon.send(.sessionDiagnostic(first, .alwaysAuthorizationDenied))
    #expect(try await early.next()?.alwaysAuthorizationDenied == true)
    #expect(try await late.next()?.alwaysAuthorizationDenied == true)
    session.invalidate()
    #expect(try await early.next() == nil)
    #expect(try await late.next() == nil)
  }

  @Test func aLoopAfterTheEndOfTheSessionGetsNoDiagnostic() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let session = await alwaysSession(daemon)
    var early = session.diagnostics.makeAsyncIterator()
    try daemon.send(.sessionDiagnostic(first, .alwaysAuthorizationDenied))
    #expect(try await early.next()?.alwaysAuthorizationDenied == true)
    session.invalidate()
    var late = session.diagnostics.makeAsyncIterator()
    #expect(try await late.next() == nil)
  }

  @Test func aDiagnosticIsRepeatedAfterAReconnectionOnlyForALoopThatHasNone() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let session = await alwaysSession(daemon)
    var early = session.diagnostics.makeAsyncIterator()
    try daemon.send(.sessionDiagnostic(first, .alwaysAuthorizationDenied))
    #expect(try await early.next()?.alwaysAuthorizationDenied == true)
    daemon.hangUp()
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .sessionOpened(first, .service(.always)))
    // This loop begins before the first diagnostic of the new connection.
    var late = session.diagnostics.makeAsyncIterator()
    try daemon.send(.sessionDiagnostic(first, .alwaysAuthorizationDenied))
    try daemon.send(.sessionDiagnostic(first, .authorizationRequestInProgress))
    #expect(try await early.next()?.authorizationRequestInProgress == true)
    #expect(try await late.next()?.alwaysAuthorizationDenied == true)
    #expect(try await late.next()?.authorizationRequestInProgress == true)
    session.invalidate()
  }

  @Test func objectsAreMadeAgainBeforeUpdatesAfterTheDaemonIsBack() async throws {
    let daemon = try ScriptedDaemon(in: directory.path)
    let connection = connection
    let updates = CLLocationUpdate.Updates(configuration: .default) { connection }
    let loop = Task { for try await _ in updates {} }
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    let service = CLServiceSession(.whenInUse, purpose: nil) { connection }
    let background = CLBackgroundActivitySession { connection }
    #expect(await daemon.next() == .sessionOpened(first, .service(.whenInUse)))
    #expect(await daemon.next() == .sessionOpened(second, .backgroundActivity))
    daemon.hangUp()
    #expect(await daemon.next() == .greeted)
    #expect(await daemon.next() == .sessionOpened(first, .service(.whenInUse)))
    #expect(await daemon.next() == .sessionOpened(second, .backgroundActivity))
    #expect(await daemon.next() == .opened(SequenceID(number: 1), .default))
    loop.cancel()
    withExtendedLifetime((service, background)) {}
  }

  @Test func everyFlagOfADiagnosticHasItsProperty() {
    #expect(CLBackgroundActivitySession.Diagnostic(.insufficientlyInUse).insufficientlyInUse)
    let none = CLServiceSession.Diagnostic([])
    let all = CLServiceSession.Diagnostic(.all)
    let read: [(CLServiceSession.Diagnostic) -> Bool] = [
      \.authorizationDenied, \.authorizationDeniedGlobally, \.authorizationRestricted,
      \.insufficientlyInUse, \.serviceSessionRequired, \.authorizationRequestInProgress,
      \.fullAccuracyDenied, \.alwaysAuthorizationDenied,
    ]
    for flag in read { #expect(flag(all) && !flag(none)) }
  }
}
