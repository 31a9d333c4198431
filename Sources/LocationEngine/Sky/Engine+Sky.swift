import BinnacleBasics
import BinnacleModel

/// The satellites in view for clients that request them.
extension Engine {
  mutating func requestSky(
    _ number: UInt32, of client: ClientID, at now: Instant, into effects: inout [Effect]
  ) {
    if let refusal = skyRefusal(for: client) {
      return effects.append(.client(client, .skyRefusal(request: number, refusal)))
    }
    guard sky.requests.count < SkyMachine.requestsMax else {
      let refusal = SkyRefusal(.unavailable, "too many programs ask for satellites; ask again")
      return effects.append(.client(client, .skyRefusal(request: number, refusal)))
    }
    if case .answers(let period) = receiver.skySource, let fresh = sky.fresh(period, at: now) {
      noteSky(for: client, at: now)
      return effects.append(.client(client, .skyReport(request: number, fresh)))
    }
    sky.requested(number, by: client, at: now)
  }

  /// Delivers a new sky, answers overdue requests, and polls the receiver; called after every event.
  ///
  /// The call follows `settlePower`, so that a receiver that is sent to sleep is not polled.
  mutating func settleSky(at now: Instant, into effects: inout [Effect]) {
    guard sky.isActive || receiver.decoder.isSkyWanted else { return }
    if let found = receiver.skies.take() { give(found, at: now, into: &effects) }
    let source = receiver.skySource
    refuseRequests(source, at: now, into: &effects)
    let isWanted =
      !sky.requests.isEmpty || sky.watchers.contains { skyRefusal(for: $0) == nil }
    receiver.skyWanted(isWanted)
    guard isWanted, case .answers(let period) = source else { return sky.rested() }
    guard sky.isPollDue(period, epochCount: receiver.memory.counters.solutions, at: now) else {
      return
    }
    receiver.askForSky(at: now, into: &effects)
    sky.asked(at: now)
  }

  private mutating func give(_ found: Sky, at now: Instant, into effects: inout [Effect]) {
    sky.arrived(found, at: now)
    for request in sky.takeRequests() {
      if let refusal = skyRefusal(for: request.client) {
        effects.append(.client(request.client, .skyRefusal(request: request.number, refusal)))
      } else {
        noteSky(for: request.client, at: now)
        effects.append(.client(request.client, .skyReport(request: request.number, found)))
      }
    }
    for client in sky.watchers where skyRefusal(for: client) == nil {
      noteSky(for: client, at: now)
      effects.append(.client(client, .sky(found)))
    }
  }

  /// Counts a sky, which is a location, in the present use of an app, or as a use of an operator's tool.
  private mutating func noteSky(for client: ClientID, at now: Instant) {
    guard let peer = apps.client(client)?.peer else { return }
    if peer.isOperator {
      uses.deliveredOnce(to: peer.app, time: time(at: now), at: now)
    } else {
      uses.delivered(to: peer.app, isOperator: false, at: now)
    }
  }

  /// Refuses overdue requests with the reason; refuses all requests if the receiver cannot report satellites.
  private mutating func refuseRequests(
    _ source: SkySource, at now: Instant, into effects: inout [Effect]
  ) {
    if sky.requests.isEmpty { return }
    let reason: String
    var requests: [SkyMachine.Request]
    switch source {
    case .none(let text): (reason, requests) = (text, sky.takeRequests())
    case .pending(let text): (reason, requests) = (text, sky.takeRequests(over: now))
    case .sentences:
      reason = "the receiver takes no orders, and GSV sentences have not come for 4 s"
      requests = sky.takeRequests(over: now)
    case .answers:
      reason =
        "the receiver has not answered for 4 s which satellites are in view; ask again, "
        + "'binnacle status' shows what the line damages"
      requests = sky.takeRequests(over: now)
    }
    for request in requests {
      let refusal =
        skyRefusal(for: request.client) ?? SkyRefusal(.unavailable, reason)
      effects.append(
        .client(request.client, .skyRefusal(request: request.number, refusal)))
    }
  }

  /// When a request is overdue, or the receiver must be polled.
  var skyDeadline: Instant? {
    guard sky.isActive else { return nil }
    guard receiver.decoder.isSkyWanted, case .answers(let period) = receiver.skySource else {
      return sky.requestDeadline
    }
    return earlier(sky.requestDeadline, sky.pollDeadline(period))
  }
}

extension SkyMachine {
  /// Whether a client wants skies, even without the right to get them.
  var isActive: Bool { !requests.isEmpty || !watchers.isEmpty }
}

extension Engine {
  /// Whether an app has left the foreground a moment ago and has no updates open, so that no use of it is recorded.
  private func isWithoutUse(_ peer: Peer, _ entitlement: Entitlement) -> Bool {
    entitlement.right == .foreground && isInBackground(peer.app) && !updates.isOpen(for: peer.app)
  }

  /// The reason why a client may not get the satellites in view; nil if it may.
  ///
  /// Elevations and azimuths of a few satellites reveal the place to some 100 km, so a sky is a location.
  func skyRefusal(for client: ClientID) -> SkyRefusal? {
    guard let found = apps.client(client) else {
      return SkyRefusal(.notPermitted, "this client is not known to the engine")
    }
    let entitlement = apps.entitlement(of: found.peer)
    if entitlement.permitsDelivery, !entitlement.isReduced {
      return isWithoutUse(found.peer, entitlement)
        ? SkyRefusal(
          .notPermitted,
          "satellites in view are a location, and an app that has left the foreground gets them only with open updates"
        )
        : nil
    }
    if entitlement.isWithheld {
      return SkyRefusal(.unavailable, "the indicator is being lit; ask again")
    }
    if entitlement.obstacles.contains(.servicesOff) {
      return SkyRefusal(
        .notPermitted,
        "location services are off for every program; 'sudo binnacle services on' turns them on")
    }
    return SkyRefusal(
      .notPermitted,
      "satellites in view are a location, and this app gets none: "
        + (entitlement.isGranted ? "its accuracy is reduced" : entitlement.obstacles.inWords)
        + "; 'sudo binnacle apps' shows why")
  }
}
