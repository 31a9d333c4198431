import BinnacleBasics
import BinnacleModel

/// The kinds of session objects on the wire; `Docs/SPEC-wire.md` has the fields.
private enum SessionKind: UInt8 {
  case backgroundActivity = 1
  case service = 2
  case authorizationRequest = 3
  case fullAccuracyRequest = 4
  case standardUpdates = 5
  case liveActivity = 6
  case backgroundTask = 7
}

extension AppSession {
  /// The first version of the protocol with this kind of object.
  var versionMin: UInt16 {
    switch self {
    case .backgroundActivity, .service, .authorizationRequest, .fullAccuracyRequest,
      .standardUpdates:
      6
    case .liveActivity, .backgroundTask: 8
    }
  }
}

extension SessionKind {
  /// The longest text of an object of this kind, in bytes.
  var textSizeMax: Int {
    self == .liveActivity ? AppSession.activityTextSizeMax : AppSession.purposeSizeMax
  }
}

extension ByteWriter {
  /// Writes the kind of a session object, its requirement and its purpose.
  mutating func put(_ session: AppSession) {
    switch session {
    case .backgroundActivity: put(.backgroundActivity, .none, "")
    case .service(let requirement, let purpose): put(.service, requirement, purpose ?? "")
    case .authorizationRequest(let isAlways):
      put(.authorizationRequest, isAlways ? .always : .whenInUse, "")
    case .fullAccuracyRequest(let purpose): put(.fullAccuracyRequest, .none, purpose)
    case .standardUpdates: put(.standardUpdates, .none, "")
    case .liveActivity(let text): put(.liveActivity, .none, text)
    case .backgroundTask: put(.backgroundTask, .none, "")
    }
  }

  private mutating func put(
    _ kind: SessionKind, _ requirement: AppSession.Requirement, _ purpose: String
  ) {
    u8(kind.rawValue)
    u8(requirement.rawValue)
    text(purpose, sizeMax: kind.textSizeMax)
  }
}

extension FieldReader {
  /// Reads a session object; fields without a meaning for its kind must be 0 and empty.
  mutating func session() throws(WireError) -> AppSession {
    let kind: SessionKind = try choice("kind")
    let requirement: AppSession.Requirement = try choice("requirement")
    let purpose = try text("purpose", sizeMax: kind.textSizeMax)
    let session: AppSession =
      switch kind {
      case .backgroundActivity: .backgroundActivity
      case .service: .service(requirement, fullAccuracyPurpose: purpose.isEmpty ? nil : purpose)
      case .authorizationRequest: .authorizationRequest(isAlways: requirement == .always)
      case .fullAccuracyRequest: .fullAccuracyRequest(purpose: purpose)
      case .standardUpdates: .standardUpdates
      case .liveActivity: .liveActivity(text: purpose)
      case .backgroundTask: .backgroundTask
      }
    var writer = ByteWriter()
    writer.put(session)
    var expected = ByteWriter()
    expected.u8(kind.rawValue)
    expected.u8(requirement.rawValue)
    expected.text(purpose)
    // Each object has one form, so that no two messages mean the same.
    guard writer.bytes == expected.bytes else { throw invalid("requirement") }
    if case .fullAccuracyRequest = session, !AppSession.isPurpose(purpose) {
      throw invalid("purpose")
    }
    return session
  }
}
