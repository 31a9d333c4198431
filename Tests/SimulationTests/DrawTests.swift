import BinnacleBasics
import BinnacleModel
import LocationEngine
import Testing

@testable import Simulation

/// The draws of simulated apps, persons and chips: each kind is drawn within a limited number of draws.
@Suite struct DrawTests {
  /// The kinds of the objects of apps.
  private enum Kind: CaseIterable {
    case backgroundActivity, serviceNone, serviceWhenInUse, serviceAlways, standardUpdates
    case authorizationRequest, fullAccuracyRequest, liveActivity, backgroundTask

    init(_ session: AppSession) {
      switch session {
      case .backgroundActivity: self = .backgroundActivity
      case .service(.none, _): self = .serviceNone
      case .service(.whenInUse, _): self = .serviceWhenInUse
      case .service(.always, _): self = .serviceAlways
      case .standardUpdates: self = .standardUpdates
      case .authorizationRequest: self = .authorizationRequest
      case .fullAccuracyRequest: self = .fullAccuracyRequest
      case .liveActivity: self = .liveActivity
      case .backgroundTask: self = .backgroundTask
      }
    }
  }

  private static let drawCount = 1_000

  private static var crowd: AppCrowd { AppCrowd(random: Random(seed: 1), failsDisk: false) }

  // MARK: Apps and persons

  @Test func everyKindOfSessionIsDrawn() {
    var crowd = Self.crowd
    var sessions: [AppSession] = []
    for _ in 0..<Self.drawCount {
      let session = crowd.drawnSession()
      if !sessions.contains(session) { sessions.append(session) }
    }
    let kinds = Set(sessions.map { Kind($0) })
    let missing = Kind.allCases.filter { !kinds.contains($0) }
    #expect(missing == [])
    let variants: [AppSession] = [
      .fullAccuracyRequest(purpose: "street"), .fullAccuracyRequest(purpose: "unknown"),
      .authorizationRequest(isAlways: false), .authorizationRequest(isAlways: true),
    ]
    let missingVariants = variants.filter { !sessions.contains($0) }
    #expect(missingVariants == [])
  }

  @Test func everyKindOfAnswerIsDrawn() {
    var crowd = Self.crowd
    var names: Set<String> = []
    for _ in 0..<Self.drawCount { names.insert(Self.name(of: crowd.drawnAnswer())) }
    let expected: Set<String> = ["allow", "deny", "reset"]
    #expect(names == expected)
  }

  @Test func everyKindOfPlaceIsDrawn() {
    var crowd = Self.crowd
    var names: Set<String> = []
    for _ in 0..<Self.drawCount { names.insert(Self.name(of: crowd.drawnPlace())) }
    let expected: Set<String> = ["foreground", "background", "home", "apps", "who", "audit", "why"]
    #expect(names == expected)
  }

  @Test func everyNameOfAnAppIsDrawn() {
    var crowd = Self.crowd
    var names: Set<String> = []
    for _ in 0..<Self.drawCount { names.insert(crowd.drawnName()) }
    let appCount = AppCrowd.manifests.count + AppCrowd.others.count
    let apps = (0..<appCount).map { "\(AppCrowd.app($0))" }
    let expected = Set(apps + ["org.example.", "org.example.absent"])
    #expect(names == expected)
  }

  private static func name(of request: ConsentRequest) -> String {
    switch request {
    case .allow: "allow"
    case .deny: "deny"
    case .reset: "reset"
    case .foreground: "foreground"
    case .background: "background"
    case .home: "home"
    case .apps: "apps"
    case .who: "who"
    case .audit: "audit"
    case .why: "why"
    case .grants, .prompts, .watchPrompts, .output, .start, .quit: "another request"
    }
  }

  @Test func everyKindOfAppConnects() {
    var names: Set<String> = []
    for seed in UInt64(1)...100 {
      var random = Random(seed: seed)
      let plan = FaultPlan(random: &random)
      let script = ClientScript(plan: plan, path: .journey, random: &random)
      for entry in script.events {
        guard case .client(_, .connected(let peer, _)) = entry.event else { continue }
        names.insert(Self.name(of: peer.app))
      }
    }
    let expected: Set<String> = ["listed", "/usr/bin/tracker", "/usr/bin/walker", "unresolved"]
    #expect(names == expected)
  }

  private static func name(of app: AppID) -> String {
    switch app {
    case .listed: "listed"
    case .unlisted(_, let executable): executable
    case .door: "door"
    case .unresolved: "unresolved"
    }
  }

  // MARK: Chips

  @Test func everyKindOfWrongLengthIsRead() {
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .still))
    var device = SimulatedDDC(generation: .m10, world: world, start: .hot, seed: 1, at: .zero)
    device.faults.bogusLength = 1
    var answers: Set<[UInt8]> = []
    for _ in 0..<Self.drawCount {
      _ = device.write([0xFD], at: .zero)
      answers.insert(device.read(2, at: .zero))
    }
    // The top bit, all bits, 0x007F, and 0x3F in the first byte.
    #expect(answers.count == 4)
  }
}
