public import Accelerometers
public import BinnacleBasics

/// News of the accelerometer; part of the engine's events.
public enum AccelerometerNews: Equatable, Codable, Sendable {
  /// A chip is in use, as described.
  case found(AccelerometerDescription)
  /// Samples came.
  case samples(AccelerationBatch)
  /// The chip's interrupt line reported movement.
  case moved(Instant)
  /// There are no samples, or the samples cannot be trusted.
  case fault(AccelerometerFault)
}
