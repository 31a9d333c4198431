import LaunchWire

/// A decoded packet has the same bytes when it is encoded again, and an identifier is never a path.
func fuzzLaunchWire(_ bytes: [UInt8]) {
  if let request = LaunchRequest(decoding: bytes) {
    precondition(request.encoded == bytes, "a request came back as another one")
    if case .order(let identifier, _) = request.kind { check(identifier) }
  }
  if let report = LaunchReport(decoding: bytes) {
    precondition(report.encoded == bytes, "a report came back as another one")
    switch report {
    case .running(let app): check(app.identifier)
    case .ended(let identifier, _), .output(let identifier, _), .outputLost(let identifier, _):
      check(identifier)
    case .answer, .attended: break
    }
  }
}

private func check(_ identifier: String) {
  precondition(
    !identifier.utf8.contains(UInt8(ascii: "/")) && identifier.utf8.first != UInt8(ascii: "."),
    "an identifier may be a path")
}
