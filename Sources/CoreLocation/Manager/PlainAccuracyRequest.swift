/// A call of the form of the manager's request for full accuracy that subclasses override.
///
/// The request uses only the parts of the manager that all threads may use, so the manager may leave its actor for the call.
struct PlainAccuracyRequest: @unchecked Sendable {
  /// The manager whose override runs: a call of `super` comes here again, and must not call the override again.
  @TaskLocal private static var caller: ObjectIdentifier?

  let manager: CLLocationManager

  func perform(_ purposeKey: String) async throws {
    let identifier = ObjectIdentifier(manager)
    if PlainAccuracyRequest.caller == identifier {
      return try await manager.askForFullAccuracy(purposeKey)
    }
    try await PlainAccuracyRequest.$caller.withValue(identifier) {
      // The type chooses the form without `isolation`.
      let request: (String) async throws -> Void =
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey:)
      try await request(purposeKey)
    }
  }
}
