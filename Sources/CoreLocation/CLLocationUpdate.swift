internal import BinnacleModel

/// One update of a live sequence: a location, the reasons for a missing location, or both.
///
///     for try await update in CLLocationUpdate.liveUpdates() {
///       if let location = update.location { show(location) }
///       if update.stationary { showResting() }
///     }
///
/// The flags are explanations, not errors. All flags that apply at present are set, and the loop continues: locations
/// resume when the reason has ended.
public struct CLLocationUpdate: Sendable {
  /// The location; nil in an update that only explains.
  public let location: CLLocation?
  private let flags: Update.Flags

  init(_ update: Update) {
    location = update.fix.map { CLLocation($0) }
    flags = update.flags
  }

  /// The former name of ``stationary``.
  @available(*, deprecated, renamed: "stationary")
  public var isStationary: Bool { stationary }

  /// Whether updates pause because the board is stationary; updates resume when the board moves.
  public var stationary: Bool { flags.contains(.stationary) }

  /// Whether location is denied to the app, by the user or because location services are off.
  public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }

  /// Whether location services are off for the whole board; ``authorizationDenied`` is set, too.
  public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }

  /// Whether a policy denies location and the user cannot change the policy.
  public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }

  /// Whether the app is authorized only while in use, and is not in use.
  public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }

  /// Whether the position is unavailable: no fix for some seconds, or no daemon.
  public var locationUnavailable: Bool { flags.contains(.locationUnavailable) }

  /// Whether the app gets coarse locations at a low rate only.
  public var accuracyLimited: Bool { flags.contains(.accuracyLimited) }

  /// Whether the app needs a service session and has none.
  public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }

  /// Whether the user was asked for authorization and has not answered yet.
  public var authorizationRequestInProgress: Bool {
    flags.contains(.authorizationRequestInProgress)
  }

  /// The purpose of the updates, which selects the receiver's settings and the conditions for a pause.
  public enum LiveConfiguration: Hashable, Sendable {
    /// No particular purpose.
    case `default`
    /// Driving a car.
    case automotiveNavigation
    /// Moving in a vehicle other than a car, such as a boat or a train.
    case otherNavigation
    /// Walking, running or cycling.
    case fitness
    /// Flying.
    case airborne
  }

  /// Live updates for as long as an iterator exists.
  ///
  /// The call itself starts nothing. The first `next()` of an iterator starts its service. Leaving the loop, canceling
  /// its task or releasing the iterator ends the service. Each iterator has its own service.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(configuration: configuration.inModel) { DaemonConnection.ofThisProcess }
  }
}

extension CLLocationUpdate.LiveConfiguration {
  var inModel: LiveConfiguration {
    switch self {
    case .default: .default
    case .automotiveNavigation: .automotiveNavigation
    case .otherNavigation: .otherNavigation
    case .fitness: .fitness
    case .airborne: .airborne
    }
  }
}
