internal import BinnacleModel

/// One turn of a loop over live updates: a location, the reasons why there is none, or both.
///
///     for try await update in CLLocationUpdate.liveUpdates() {
///       if let location = update.location { show(location) }
///       if update.stationary { showResting() }
///     }
///
/// The flags explain; they are no errors. All that hold at the moment are set, and the loop goes on: once the
/// reason is gone, locations come again by themselves.
public struct CLLocationUpdate: Sendable {
  /// Where the board is; nil on an update that only explains.
  public let location: CLLocation?
  private let flags: Update.Flags

  init(_ update: Update) {
    location = update.fix.map { CLLocation($0) }
    flags = update.flags
  }

  /// The name of ``stationary`` in old programs.
  @available(*, deprecated, renamed: "stationary")
  public var isStationary: Bool { stationary }

  /// Whether updates pause because the board rests; they come again when it moves.
  public var stationary: Bool { flags.contains(.stationary) }

  /// Whether the app is denied its location, by the user or because location services are off.
  public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }

  /// Whether location services are off for the whole board; ``authorizationDenied`` is set, too.
  public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }

  /// Whether policy forbids it and the user cannot change that.
  public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }

  /// Whether the app is authorized but not enough in use.
  public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }

  /// Whether the position cannot be determined: no fix for some seconds, or no daemon.
  public var locationUnavailable: Bool { flags.contains(.locationUnavailable) }

  /// Whether the app gets a coarse location only, and that rarely.
  public var accuracyLimited: Bool { flags.contains(.accuracyLimited) }

  /// Whether the app must hold a service session and holds none.
  public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }

  /// Whether the user has been asked and has not answered yet.
  public var authorizationRequestInProgress: Bool {
    flags.contains(.authorizationRequestInProgress)
  }

  /// What the updates are for; it decides how the receiver is set and when updates pause.
  public enum LiveConfiguration: Hashable, Sendable {
    /// Nothing in particular.
    case `default`
    /// Driving a car.
    case automotiveNavigation
    /// Moving in a vehicle that is no car, such as a boat or a train.
    case otherNavigation
    /// Walking, running or cycling.
    case fitness
    /// Flying.
    case airborne
  }

  /// Updates for as long as they are iterated.
  ///
  /// The call itself does nothing: the first turn of a loop starts the service, and leaving the loop,
  /// canceling its task or letting go of the iterator ends it. Every iterator has a service of its own.
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
