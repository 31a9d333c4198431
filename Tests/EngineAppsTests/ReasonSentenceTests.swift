import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The sentences of `binnacle why` and of prompts, word for word.
@Suite struct ReasonSentenceTests {
  private static let tracker = ConsentDesk.tracker
  private static let name = "org.example.tracker"

  /// The row of a condition of an app.
  private static func row(
    _ key: String, of app: AppID = ConsentDesk.tracker, _ desk: ConsentDesk
  ) -> Report? {
    desk.desk.engine.reasonRows(of: app, at: desk.desk.now).first { $0[.rowKey] == key }
  }

  /// A desk with an app that has updates open in the foreground.
  private static func asking(
    _ app: AppID, _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> ConsentDesk {
    var desk = ConsentDesk(adjust)
    _ = desk.run(app, hasTerminal: true)
    return desk
  }

  /// A desk with an app that runs without updates.
  private static func started(hasTerminal: Bool) -> ConsentDesk {
    var desk = ConsentDesk()
    _ = desk.start(tracker, hasTerminal: hasTerminal)
    return desk
  }

  /// A desk with an app in the background that is always allowed and holds a session.
  private static func away(holding session: AppSession) -> ConsentDesk {
    var (desk, app) = SessionTests.desk(.always)
    desk.hold(session, by: app)
    desk.request(.home)
    return desk
  }

  // MARK: Authorization and accuracy

  @Test func theSentencesAboutTheAuthorization() {
    let denied = { () -> ConsentDesk in
      var desk = Self.asking(Self.tracker)
      desk.request(.deny(app: Self.name))
      return desk
    }
    let restricted = Self.asking(Self.tracker) { $0.consent.restricted = .all }
    let cases: [(app: AppID, desk: ConsentDesk, sentence: String)] = [
      (Self.tracker, Self.asking(Self.tracker), "\(Self.name) waits for your answer."),
      (
        ConsentDesk.mute, Self.asking(ConsentDesk.mute),
        "org.example.mute cannot ask for your location: it gives no reason."
      ),
      (
        Self.tracker, Self.started(hasTerminal: true),
        "\(Self.name) has not asked for your location yet."
      ),
      (
        Self.tracker, Self.started(hasTerminal: false),
        "\(Self.name) has not asked for your location yet: it asks in the foreground."
      ),
      (
        Self.tracker, restricted,
        "\(Self.name) may not use your location: the board's profile restricts it."
      ),
      (Self.tracker, denied(), "\(Self.name) may not use your location: it was denied."),
      (
        Self.tracker, SessionTests.desk().desk,
        "\(Self.name) may use your location while it is in use."
      ),
      (
        Self.tracker, SessionTests.desk(.always).desk,
        "\(Self.name) may always use your location."
      ),
    ]
    for (app, desk, sentence) in cases {
      let found: String? = Self.row("authorization", of: app, desk)?[.rowText]
      #expect(found == sentence)
    }
  }

  @Test func theSentencesAboutTheAccuracy() {
    let reduced = SessionTests.desk { $0.apps[0].isAccuracyReduced = true }.desk
    let row = Self.row("accuracy", reduced)
    let text: String? = row?[.rowText]
    #expect(text?.hasPrefix("\(Self.name) may get your approximate location only. ") == true)
    #expect(row?[.rowHolds] == false)
    let exact = Self.row("accuracy", SessionTests.desk().desk)
    #expect(exact?[.rowText] == "\(Self.name) may get your exact location.")
    #expect(exact?[.rowHolds] == true)
  }

  @Test func theAccuracyCountsOnceTheAppIsAuthorized() {
    var denied = Self.asking(Self.tracker) { $0.apps[0].isAccuracyReduced = true }
    denied.request(.deny(app: Self.name))
    let restricted = Self.asking(Self.tracker) {
      $0.apps[0].isAccuracyReduced = true
      $0.consent.restricted = .all
    }
    let exact = "may get your exact location once it is authorized."
    let approximate = "may get your approximate location only once it is authorized."
    let cases: [(app: AppID, desk: ConsentDesk, sentence: String, change: String?)] = [
      (Self.tracker, Self.asking(Self.tracker), exact, nil),
      (ConsentDesk.mute, Self.asking(ConsentDesk.mute), exact, nil),
      // An answer would also authorize the app.
      (Self.tracker, denied, approximate, nil),
      // An answer changes nothing while the profile restricts the app.
      (Self.tracker, restricted, approximate, nil),
    ]
    for (app, desk, sentence, change) in cases {
      let row = Self.row("accuracy", of: app, desk)
      #expect(row?[.rowText] == "\(app) \(sentence)")
      #expect(row?[.rowChange] == change)
    }
  }

  @Test func anAppThatAsksWhileTheQueueIsFullHasARequestThatWaits() {
    var (desk, _) = ConsentDesk.withFullQueue()
    let app = desk.start(Self.tracker, hasTerminal: true)
    let silent = Self.row("authorization", desk)
    #expect(silent?[.rowText] == "\(Self.name) has not asked for your location yet.")
    desk.desk.open(app)
    #expect(desk.rows(.prompts).count == 16)
    let waiting = Self.row("authorization", desk)
    #expect(
      waiting?[.rowText] == "\(Self.name) has a request that waits, because 16 requests are open.")
    #expect(
      waiting?[.rowChange]
        == "binnacle allow org.example.tracker, or an answer to one of these requests; 'binnacle prompts' lists them"
    )
    desk.request(.deny(app: "1002:/bin/7"))
    #expect(Self.row("authorization", desk)?[.rowText] == "\(Self.name) waits for your answer.")
  }

  // MARK: Sessions, use and updates

  @Test func theSentencesAboutTheServiceSession() {
    var (desk, app) = SessionTests.desk { $0.apps[0].needsServiceSession = true }
    let missing = Self.row("service_session", desk)
    #expect(
      missing?[.rowText]
        == "\(Self.name) holds no service session, and its manifest requires one.")
    #expect(missing?[.rowHolds] == false)
    desk.hold(.service(.whenInUse), by: app)
    let held = Self.row("service_session", desk)
    #expect(held?[.rowText] == "\(Self.name) holds a service session.")
    #expect(held?[.rowHolds] == true)
    // A manifest without the key has no such condition.
    #expect(Self.row("service_session", SessionTests.desk().desk) == nil)
  }

  @Test func aServiceSessionWithoutARequirementDoesNotAsk() {
    var desk = ConsentDesk { $0.apps[0].needsServiceSession = true }
    let app = desk.run(Self.tracker, hasTerminal: true)
    desk.hold(.service(.none), by: app)
    let missing = Self.row("service_session", desk)
    #expect(
      missing?[.rowText]
        == "\(Self.name) holds no service session that requires when in use or always.")
    #expect(missing?[.rowHolds] == false)
    #expect(
      missing?[.rowChange]
        == "a CLServiceSession of the app that requires when in use or always, "
        + "made in the foreground")
    desk.request(.allow(app: Self.name, nil))
    #expect(Self.row("service_session", desk)?[.rowHolds] == true)
  }

  @Test func theSentencesAboutTheUse() {
    let cases: [(desk: ConsentDesk, sentence: String)] = [
      (SessionTests.desk().desk, "is in the foreground."),
      (Self.away(holding: .service(.none)), "left the foreground a moment ago."),
      (Self.away(holding: .backgroundActivity), "holds a background activity session."),
      (
        Self.away(holding: .standardUpdates),
        "has standard updates that continue in the background."
      ),
      (Self.away(holding: .service(.always)), "holds a service session for use at all times."),
      (Self.away(holding: .liveActivity(text: "on the way")), "has a live activity."),
    ]
    for (desk, sentence) in cases {
      let found: String? = Self.row("use", desk)?[.rowText]
      #expect(found == "\(Self.name) \(sentence)")
    }
  }

  @Test func theSentencesAboutUpdates() {
    let closed = Self.row("updates", Self.started(hasTerminal: true))
    #expect(closed?[.rowText] == "\(Self.name) has no updates open.")
    #expect(closed?[.rowHolds] == false)
    let open = Self.row("updates", Self.asking(Self.tracker))
    #expect(open?[.rowText] == "\(Self.name) has updates open.")
    #expect(open?[.rowHolds] == true)
  }

  // MARK: The indicator, movement and the process

  @Test func theSentencesAboutTheIndicator() {
    var (desk, app) = SessionTests.desk()
    desk.hold(.backgroundActivity, by: app)
    #expect(Self.row("light", desk) == nil)
    desk.desk.lamp = .silent
    desk.request(.home)
    let asserting = Self.row("light", desk)
    #expect(asserting?[.rowText] == "The indicator is being lit.")
    #expect(asserting?[.rowHolds] == false)
    desk.desk.send(.line(.indicator, .read(isActive: true)))
    let lit = Self.row("light", desk)
    let text: String? = lit?[.rowText]
    #expect(text?.hasPrefix("The indicator is lit, and was read back. ") == true)
    #expect(lit?[.rowHolds] == true)
  }

  @Test func aPauseIsTheReasonWhileTheBoardRests() {
    var (desk, _) = SessionTests.desk { $0.motion.dwells.default = .seconds(4) }
    for _ in 0..<6 { desk.fix() }
    #expect(Self.row("movement", desk)?[.rowHolds] == true)
    let (apps, now) = (desk.desk.engine.apps, desk.desk.now)
    var effects: [Effect] = []
    desk.desk.engine.updates.restJudged(
      for: apps, at: now, isResting: { _, _ in true }, into: &effects)
    let row = Self.row("movement", desk)
    let text: String = row?[.rowText] ?? ""
    #expect(text.hasPrefix("The board rests, so updates pause"), "\(text)")
    #expect(row?[.rowHolds] == false)
  }

  @Test func theSentenceAboutASuspendedAppCountsItsUpdates() {
    var desk = AppLifeDesk.running(.always, holding: [.service(.always)]) {
      $0.life.wakeInterval = .seconds(600)
    }
    #expect(Self.row("process", desk.consent)?[.rowText] == "\(Self.name) runs.")
    desk.consent.request(.home)
    for _ in 0..<200 where !desk.isFrozen { desk.consent.fix() }
    #expect(desk.isFrozen)
    for _ in 0..<3 { desk.consent.fix() }
    let count: Int64 = desk.row()?[.rowWaiting] ?? 0
    #expect(count >= 3)
    let row = Self.row("process", desk.consent)
    #expect(row?[.rowText] == "\(Self.name) is suspended; \(count) updates wait for it.")
    #expect(row?[.rowHolds] == false)
  }

  // MARK: Prompts and answers

  /// The sentence of the only prompt.
  private static func prompt(_ desk: inout ConsentDesk) -> String? {
    let texts: [String] = desk.rows(.prompts).compactMap { $0[.rowText] }
    return texts.count == 1 ? texts[0] : nil
  }

  @Test func theSentencesOfPromptsNameTheAccuracyAndTheUsageText() {
    var use = Self.asking(Self.tracker) { $0.apps[0].isAccuracyReduced = true }
    #expect(
      Self.prompt(&use)
        == "\(Self.name) would like to use your approximate location while it is in use. "
        + "\"Records the route of this vehicle.\"")
    var (exact, app) = SessionTests.desk { $0.apps[0].isAccuracyReduced = true }
    exact.hold(.fullAccuracyRequest(purpose: "delivery"), by: app)
    #expect(
      Self.prompt(&exact)
        == "\(Self.name) would like to use your exact location until it is no longer in use. "
        + "\"Shows the exact door.\"")
    var (always, other) = SessionTests.desk { $0.apps[0].isAccuracyReduced = true }
    always.hold(.authorizationRequest(isAlways: true), by: other)
    #expect(
      Self.prompt(&always)
        == "\(Self.name) would like to use your approximate location even when it is not in use. "
        + "\"Records the route also when nobody watches.\"")
  }

  @Test func eachAnswerHasItsLineInTheLog() {
    var desk = ConsentDesk()
    let answers: [(request: ConsentRequest, line: String)] = [
      (.allow(app: Self.name, nil), "may use your location while it is in use"),
      (.allow(app: Self.name, .always), "may always use your location"),
      (
        .allow(app: Self.name, .always, isReduced: true),
        "may always use your approximate location"
      ),
      (.deny(app: Self.name), "may not use your location"),
    ]
    for (request, line) in answers {
      desk.request(request)
      #expect(desk.desk.lines.contains("\(Self.name): \(line) (answered by command)"))
    }
    desk.request(.reset(app: Self.name))
    #expect(desk.desk.lines.contains("\(Self.name): may ask for your location again"))
  }
}
