import BinnacleBasics
import BinnacleModel
import BinnacleWire

/// Messages of every kind, and random ones.
enum Samples {
  static let fix = Fix(
    latitude: 47.3977, longitude: 8.5456, altitude: 408.5, ellipsoidalAltitude: 455.75,
    horizontalAccuracy: 2.134, verticalAccuracy: 3.5, speed: 0.25, speedAccuracy: 0.125, course: 90,
    courseAccuracy: 12.5,
    time: UTCTime(secondsSince1970: 1_763_700_000, nanoseconds: 250_000_000),
    isSimulatedBySoftware: true)

  static let entries: [DefaultsEntry] = [
    DefaultsEntry("on", .flag(true)), DefaultsEntry("count", .integer(-7)),
    DefaultsEntry("nan", .number(.nan)), DefaultsEntry("", .text("\u{e9}")),
    DefaultsEntry("data", .data([])), DefaultsEntry("gone", nil),
  ]

  static let token = Secret([UInt8](1...16))

  static let clientMessages: [ClientMessage] =
    [
      .hello(.init(versionMin: 1, versionMax: 1, program: "watch")),
      .hello(.init(versionMin: 1, versionMax: 9, program: "")),
      .hello(.init(versionMin: 7, versionMax: 7, program: "watch", role: .operator)),
      .hello(.init(versionMin: 7, versionMax: 9, program: "s", role: .script("org.example.a"))),
      .hello(.init(versionMin: 10, versionMax: 10, program: "c", role: .console(token: nil))),
      .hello(
        .init(versionMin: 10, versionMax: 10, program: "c", role: .console(token: token))),
      .closeUpdates(SequenceID(number: .max)),
      .openSession(SessionID(number: 1), .backgroundActivity),
      .openSession(SessionID(number: 2), .service(.none)),
      .openSession(SessionID(number: 3), .service(.whenInUse, fullAccuracyPurpose: "delivery")),
      .openSession(SessionID(number: 4), .service(.always)),
      .openSession(SessionID(number: 5), .authorizationRequest(isAlways: false)),
      .openSession(SessionID(number: 6), .authorizationRequest(isAlways: true)),
      .openSession(SessionID(number: 7), .fullAccuracyRequest(purpose: "delivery")),
      .openSession(SessionID(number: 8), .liveActivity(text: "")),
      .openSession(
        SessionID(number: 9),
        .liveActivity(
          text: String(repeating: "a", count: AppSession.activityTextSizeMax - 2) + "\u{e9}")),
      .openSession(SessionID(number: 10), .backgroundTask),
      .openSession(SessionID(number: .max), .standardUpdates),
      .closeSession(SessionID(number: .max)),
      .watchAuthorization,
      .watchButtons,
      .watchPhase,
      .openReducedUpdates(SequenceID(number: 9), .airborne),
      .openSearch(SequenceID(number: 10), isReduced: false),
      .openSearch(SequenceID(number: .max), isReduced: true),
      .request(0, .status),
      .request(77, .trace),
      .request(78, .setServices(isOn: true)),
      .request(79, .setServices(isOn: false)),
      .request(80, .openDefaults),
      .request(81, .setDefaults(isLast: false, [])),
      .request(.max, .setDefaults(isLast: true, entries)),
      .request(80, .state(.read)),
      .request(81, .state(.erase(.all))),
      .request(82, .state(.erase(.defaults(app: nil)))),
      .request(83, .state(.erase(.defaults(app: "org.example.a")))),
      .request(84, .state(.erase(.counters))),
      .request(85, .state(.writes)),
      .request(86, .sky),
      .request(104, .log(.warning, isFollowed: true)),
      .request(105, .log(.debug, isFollowed: false)),
      .request(106, .settings),
      .request(107, .day),
      .request(108, .console(.unlock(Secret()))),
      .request(109, .console(.unlock(Secret("483920")))),
      .request(110, .console(.lock)),
      .request(111, .console(.unlockByPresence)),
      .request(112, .console(.describeLock)),
      .request(87, .consent(.apps)),
      .request(88, .consent(.grants)),
      .request(98, .consent(.who)),
      .request(99, .consent(.audit)),
      .request(100, .consent(.why(app: nil))),
      .request(101, .consent(.why(app: "org.example.a"))),
      .request(89, .consent(.prompts)),
      .request(102, .consent(.watchPrompts)),
      .request(90, .consent(.allow(app: "org.example.a", nil))),
      .request(91, .consent(.allow(app: "1000:/usr/bin/tracker", .always))),
      .request(97, .consent(.allow(app: "a", .whenInUse, isReduced: true))),
      .request(98, .consent(.allow(app: "a", nil, isReduced: false))),
      .request(92, .consent(.deny(app: "o"))),
      .request(93, .consent(.reset(app: "org.example.a"))),
      .request(94, .consent(.foreground(app: "org.example.a"))),
      .request(95, .consent(.background(app: "org.example.a"))),
      .request(96, .consent(.home)),
      .request(103, .consent(.start(app: "org.example.a"))),
      .request(104, .consent(.quit(app: "org.example.a"))),
      .request(105, .consent(.output(app: "org.example.a", isFollowed: false))),
      .request(106, .consent(.output(app: "org.example.a", isFollowed: true))),
    ] + LiveConfiguration.allCases.map { .openUpdates(SequenceID(number: 7), $0) }

  static let report: Report = {
    var report = Report()
    report.add("daemon.version", .text("0.1 \u{e9}"))
    report.add("receiver.speed_baud", .integer(115_200))
    report.add("receiver.rate_hz", .number(2.5))
    report.add("receiver.is_simulated", .flag(true))
    report.add("clock.offset_ns", .integer(.min))
    return report
  }()

  /// Every value at its limits, and unknown.
  static let sky = Sky(
    time: fix.time, horizontalDilution: 0.63, verticalDilution: nil, positionDilution: 655.34,
    satellites: Satellite.Constellation.allCases.map {
      Satellite(constellation: $0, number: nil)
    } + [
      Satellite(
        constellation: .galileo, number: 1, elevationDegrees: -90, azimuthDegrees: 360,
        carrierToNoiseDBHz: 1, isUsed: true, health: .healthy),
      Satellite(
        constellation: .sbas, number: 254, elevationDegrees: 90, azimuthDegrees: 0,
        carrierToNoiseDBHz: 254, health: .unhealthy),
    ])

  static let serverMessages: [ServerMessage] =
    [
      .sky(request: 9, sky),
      .sky(request: .max, Sky()),
      .sky(
        request: 0,
        Sky(satellites: [Satellite](repeating: .init(constellation: .gps, number: 7), count: 255))),
      .rows(request: 3, isLast: true, []),
      .ownApps(request: 3),
      .sessionDiagnostic(SessionID(number: 7), []),
      .sessionDiagnostic(SessionID(number: .max), .all),
      .authorization(AuthorizationState(.notDetermined)),
      .authorization(AuthorizationState(.always, isReduced: true, areServicesOn: false)),
      .authorization(AuthorizationState(.whenInUse, hasBackgroundMode: true)),
      .authorization(AuthorizationState(.denied, hasBackgroundMode: false)),
      .button(ButtonPress(button: "MARK", gesture: .short, time: fix.time)),
      .button(ButtonPress(button: "", gesture: .double, time: UTCTime(secondsSince1970: 0))),
      .updates([], Update(fix: fix)),
      .updates([SequenceID(number: 7), SequenceID(number: .max)], Update(fix: fix)),
      .updates((0..<1_024).map { SequenceID(number: $0) }, Update(fix: nil, flags: [.stationary])),
      .phase(.active),
      .phase(.background),
      .phase(.suspending),
      .unlocked(request: 9, token: token, seconds: 300),
      .locked,
      .rows(request: .max, isLast: false, [report, Report(), report]),
      .welcome(version: 1, daemon: "binnacled 0.1"),
      .update(SequenceID(number: 7), Update(fix: fix, flags: .stationary)),
      .update(SequenceID(number: 7), Update(fix: fix)),
      .update(SequenceID(number: 8), Update(fix: nil, flags: [.locationUnavailable])),
      .status(request: 1, Report()),
      .status(request: 2, report),
      .answered(request: 4, nil),
      .answered(request: 5, .init(.notKept, "no space is left on the disk")),
      .defaults(request: 6, isLast: true, entries),
      .defaults(request: 6, isLast: false, []),
      .defaultsChanged(entries),
      .defaultsSettled(request: 7, nil),
      .defaultsSettled(request: 8, .init(.limitReached, "257 keys")),
      .state(request: 6, isLast: false, [1, 2, 3]),
      .state(request: 6, isLast: true, []),
      .writes(request: 7, report),
      .trace(request: 3, isLast: false, [1, 2, 3]),
      .trace(request: 3, isLast: true, []),
      .trace(request: 3, isLast: true, [UInt8](repeating: 9, count: 32_768)),
    ]
    + ServerMessage.RefusalKind.allCases.flatMap { reason -> [ServerMessage] in
      let refusal = ServerMessage.Refusal(reason, "because of \(reason)")
      return [
        .refused(refusal, isFinal: true), .refused(refusal, isFinal: false),
        .updatesEnded(SequenceID(number: 3), refusal),
      ]
    }
}

/// The result of a decoder for some bytes.
func outcome<Value>(_ decode: () throws(WireError) -> Value) -> Result<Value, WireError> {
  do throws(WireError) {
    return .success(try decode())
  } catch {
    return .failure(error)
  }
}
