import BinnacleBasics
public import BinnacleModel

/// The encoding and the permission of client requests: a row of properties per request, and its fields.
///
/// A new request gets a number in ``RequestType``, a row in `traits`, and its fields in `ByteWriter.put` and
/// `init(_:from:)`. `Docs/SPEC-wire.md` has the numbers and the fields of all requests.
enum RequestType: UInt8, CaseIterable {
  case status = 4
  case trace = 5
  case setServices = 6
  case openDefaults = 7
  case setDefaults = 8
  case sky = 9
  case readState = 16
  case eraseState = 17
  case countWrites = 18
  case acceptState = 19
  case listApps = 32
  case listGrants = 33
  case listPrompts = 34
  case allow = 35
  case deny = 36
  case reset = 37
  case foreground = 38
  case background = 39
  case home = 40
  case listUses = 41
  case listEpochs = 42
  case explain = 43
  case watchPrompts = 44
  case start = 45
  case quit = 46
  case output = 47
  case readLog = 55
  case listSettings = 56
  case unlock = 57
  case lock = 58
  case unlockByPresence = 59
  case day = 60
  case describeLock = 61
}

extension ClientRequest {
  /// The encoding, the permission and the cost of the request.
  ///
  /// A trace, the history of a day and the whole state are encoded and sent at once, so they cost more.
  public var traits: RequestTraits {
    switch self {
    case .status: RequestTraits(.status, since: 1, .operators, console: .view)
    case .trace: RequestTraits(.trace, since: 1, .operators, cost: 8)
    case .setServices:
      RequestTraits(.setServices, since: 2, .operators, console: .unlocked, isChange: true)
    case .openDefaults: RequestTraits(.openDefaults, since: 2, .everyClient, isAboutDefaults: true)
    case .setDefaults:
      RequestTraits(
        .setDefaults, since: 2, .everyClient, cost: nil, isChange: true, isAboutDefaults: true)
    case .state(.read): RequestTraits(.readState, since: 2, .operators, cost: 8)
    case .state(.erase):
      RequestTraits(.eraseState, since: 2, .operators, console: .unlocked, isChange: true)
    case .state(.writes): RequestTraits(.countWrites, since: 2, .operators, console: .view)
    case .state(.accept): RequestTraits(.acceptState, since: 3, .accepters, isChange: true)
    // The engine checks the permission for satellites, as for locations.
    case .sky:
      RequestTraits(.sky, since: 4, .everyClient, console: .position, mayBeRefused: true)
    case .consent(let request): request.traits
    case .log(_, let isFollowed):
      RequestTraits(
        .readLog, since: 9, .operators, cost: 4, console: .view, isWatch: isFollowed)
    // Every user can read the files that the settings come from.
    case .settings: RequestTraits(.listSettings, since: 9, .everyClient, console: .view)
    // The history lists all apps and the movements of a person.
    case .day: RequestTraits(.day, since: 9, .operators, cost: 8, console: .view)
    // The engine judges PINs. Only a console has rights to lift.
    case .console(.unlock):
      RequestTraits(.unlock, since: 10, .everyClient, console: .always, isChange: true)
    case .console(.unlockByPresence):
      RequestTraits(.unlockByPresence, since: 10, .everyClient, console: .always, isChange: true)
    case .console(.lock):
      RequestTraits(.lock, since: 10, .everyClient, console: .always, isChange: true)
    case .console(.describeLock):
      RequestTraits(.describeLock, since: 10, .everyClient, console: .always, mayBeRefused: true)
    }
  }

  /// Whether the request changes something; otherwise a client that has disconnected needs no answer.
  public var isChange: Bool { traits.isChange }

  /// Whether `rows` answers the request.
  var isList: Bool {
    switch self {
    case .log, .settings, .day: true
    case .consent, .console: !isChange
    case .status, .trace, .setServices, .openDefaults, .setDefaults, .state, .sky: false
    }
  }

  /// Reads the fields after the number of a request.
  init(_ type: RequestType, from reader: inout FieldReader) throws(WireError) {
    switch type {
    case .status: self = .status
    case .trace: self = .trace
    case .setServices: self = .setServices(isOn: try reader.flag("isOn"))
    case .openDefaults: self = .openDefaults
    case .setDefaults:
      let isLast = try reader.flag("isLast")
      self = .setDefaults(isLast: isLast, try reader.defaultsEntries())
    case .sky: self = .sky
    case .day: self = .day
    case .unlock: self = .console(.unlock(try reader.secret("pin", sizeMax: WireLimits.pinSizeMax)))
    case .unlockByPresence: self = .console(.unlockByPresence)
    case .lock: self = .console(.lock)
    case .describeLock: self = .console(.describeLock)
    case .readState: self = .state(.read)
    case .countWrites: self = .state(.writes)
    case .acceptState: self = .state(.accept)
    case .listApps: self = .consent(.apps)
    case .listGrants: self = .consent(.grants)
    case .listPrompts: self = .consent(.prompts)
    case .watchPrompts: self = .consent(.watchPrompts)
    case .listUses: self = .consent(.who)
    case .listEpochs: self = .consent(.audit)
    case .explain:
      let app = try reader.text("app", sizeMax: WireLimits.sentenceSizeMax)
      self = .consent(.why(app: app.isEmpty ? nil : app))
    case .allow:
      let app = try reader.appName()
      let number = try reader.u8()
      let allowance = ConsentRequest.Allowance(rawValue: number)
      if number != 0, allowance == nil { throw reader.invalid("authorization") }
      let accuracy = try reader.u8()
      guard accuracy <= 2 else { throw reader.invalid("accuracy") }
      let isReduced: Bool? = accuracy == 0 ? nil : accuracy == 2
      self = .consent(.allow(app: app, allowance, isReduced: isReduced))
    case .deny: self = .consent(.deny(app: try reader.appName()))
    case .reset: self = .consent(.reset(app: try reader.appName()))
    case .foreground: self = .consent(.foreground(app: try reader.appName()))
    case .background: self = .consent(.background(app: try reader.appName()))
    case .home: self = .consent(.home)
    case .start: self = .consent(.start(app: try reader.appName()))
    case .quit: self = .consent(.quit(app: try reader.appName()))
    case .output:
      let app = try reader.appName()
      self = .consent(.output(app: app, isFollowed: try reader.flag("isFollowed")))
    case .readLog:
      let level: LogLevel = try reader.choice("priority")
      self = .log(level, isFollowed: try reader.flag("isFollowed"))
    case .listSettings: self = .settings
    case .eraseState:
      let number = try reader.u8()
      let app = try reader.text("app", sizeMax: WireLimits.sentenceSizeMax)
      guard let subject = EraseSubject(number: number, app: app) else {
        throw reader.invalid("subject")
      }
      self = .state(.erase(subject))
    }
  }
}

extension ConsentRequest {
  /// The engine limits the users that may not operate to their own apps.
  fileprivate var traits: RequestTraits {
    switch self {
    case .apps: list(.listApps, since: 5)
    case .grants: list(.listGrants, since: 5)
    case .prompts: list(.listPrompts, since: 5)
    case .who: list(.listUses, since: 6)
    case .audit: list(.listEpochs, since: 6)
    case .why:
      RequestTraits(.explain, since: 6, .everyClient, console: .view, mayBeRefused: true)
    // The list is empty while the console may not look.
    case .watchPrompts:
      RequestTraits(.watchPrompts, since: 7, .everyClient, console: .always, isWatch: true)
    case .allow: change(.allow, since: 5)
    case .deny: change(.deny, since: 5)
    case .reset: change(.reset, since: 5)
    case .foreground: change(.foreground, since: 5)
    case .background: change(.background, since: 5)
    case .home: change(.home, since: 5)
    case .start: change(.start, since: 8)
    case .quit: change(.quit, since: 8)
    // Lines of apps may contain anything.
    case .output(_, let isFollowed):
      RequestTraits(
        .output, since: 8, .everyClient, console: .unlocked, mayBeRefused: true,
        isWatch: isFollowed)
    }
  }

  private func list(_ type: RequestType, since versionMin: UInt16) -> RequestTraits {
    RequestTraits(type, since: versionMin, .everyClient, console: .view)
  }

  private func change(_ type: RequestType, since versionMin: UInt16) -> RequestTraits {
    RequestTraits(type, since: versionMin, .everyClient, console: .unlocked, isChange: true)
  }
}

extension ByteWriter {
  /// Writes the fields after the number of a request.
  mutating func put(_ request: ClientRequest) {
    switch request {
    case .status, .trace, .openDefaults, .sky, .day, .state(.read), .state(.writes),
      .state(.accept),
      .consent(.apps), .consent(.grants), .consent(.prompts), .consent(.watchPrompts),
      .consent(.who), .consent(.audit), .consent(.home), .settings, .console(.lock),
      .console(.unlockByPresence), .console(.describeLock):
      return
    case .console(.unlock(let pin)): put(pin)
    case .log(let level, let isFollowed):
      u8(level.rawValue)
      u8(isFollowed ? 1 : 0)
    case .consent(.why(let app)): text(app ?? "", sizeMax: WireLimits.sentenceSizeMax)
    case .consent(.allow(let app, let allowance, let isReduced)):
      text(app, sizeMax: WireLimits.sentenceSizeMax)
      u8(allowance?.rawValue ?? 0)
      u8(isReduced.map { $0 ? 2 : 1 } ?? 0)
    case .consent(.deny(let app)), .consent(.reset(let app)), .consent(.foreground(let app)),
      .consent(.background(let app)), .consent(.start(let app)), .consent(.quit(let app)):
      text(app, sizeMax: WireLimits.sentenceSizeMax)
    case .consent(.output(let app, let isFollowed)):
      text(app, sizeMax: WireLimits.sentenceSizeMax)
      u8(isFollowed ? 1 : 0)
    case .setServices(let isOn): u8(isOn ? 1 : 0)
    case .setDefaults(let isLast, let entries):
      u8(isLast ? 1 : 0)
      put(entries)
    case .state(.erase(let subject)):
      u8(subject.number)
      text(subject.app ?? "", sizeMax: WireLimits.sentenceSizeMax)
    }
  }
}

extension ByteWriter {
  /// A `u8` with the number of bytes, and the bytes.
  mutating func put(_ secret: Secret) {
    precondition(secret.bytes.count <= WireLimits.pinSizeMax, "a secret is too long")
    u8(UInt8(secret.bytes.count))
    put(secret.bytes)
  }
}

extension FieldReader {
  mutating func secret(_ field: String, sizeMax: Int) throws(WireError) -> Secret {
    let count = Int(try u8())
    guard count <= sizeMax else { throw invalid(field) }
    return Secret(try take(count))
  }

  fileprivate mutating func appName() throws(WireError) -> String {
    let name = try text("app", sizeMax: WireLimits.sentenceSizeMax)
    if name.isEmpty { throw invalid("app") }
    return name
  }
}
