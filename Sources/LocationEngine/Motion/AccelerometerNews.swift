public import Accelerometers
public import BinnacleBasics

/// What the accelerometer had to say; part of the engine's events.
public enum AccelerometerNews: Equatable, Codable, Sendable {
  /// A chip is in use, in this way.
  case found(AccelerometerDescription)
  /// Samples came.
  case samples(AccelerationBatch)
  /// The chip's interrupt line told of movement.
  case moved(Instant)
  /// There are no samples, or none to be trusted.
  case fault(AccelerometerFault)
}
