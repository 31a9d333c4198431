public import Accelerometers
public import BinnacleModel
public import StateLog

/// Something that is to be done; an order.
///
/// Every effect has a byte encoding (`Trace/EffectCoding.swift`), so two runs can be compared byte for byte.
public enum Effect: Equatable, Sendable {
  /// Open the receiver's device at this speed (baud); answered by `receiverOpened` or `receiverOpenFailed`.
  case openReceiver(speed: Int)
  /// Close the receiver's device; not answered.
  case closeReceiver
  /// Write these bytes; answered by `receiverDrained` once they have left the board, or by `receiverLost`.
  case writeReceiver([UInt8])
  /// Fetch what the receiver has to say, or leave its bus alone while it sleeps; not answered, and nothing to a serial line.
  case attendReceiver(Bool)
  /// Change the speed (baud) after everything written has drained; answered by `receiverSpeedChanged` or
  /// `receiverSpeedRefused`.
  case setReceiverSpeed(Int)
  /// Write these changes to the log of state, as one commit; answered by `committed` or `commitFailed` with this number.
  case commit(number: UInt32, [Change])
  /// Try again to open the log of state; answered by `stateRead`.
  case openState
  /// Do this with the log of tracks.
  case track(TrackOrder)
  /// Claim a GPIO line; answered by `lineOpened` or `lineLost`.
  case openLine(LineID)
  /// Drive an output; answered by `lineRead` with the level that it then has, or by `lineLost`.
  case setLine(LineID, isActive: Bool)
  /// Look at a line's level; answered by `lineRead` or `lineLost`.
  case readLine(LineID)
  /// Hand one update to these sequences of a client.
  case deliver(ClientID, [SequenceID], Update)
  /// End a sequence that the limits do not allow.
  case endUpdates(ClientID, SequenceID, reason: String)
  /// Answer a request that changes something: done, or why not.
  case answer(ClientID, request: UInt32, failure: String?)
  /// Tell a client all that its app keeps.
  case defaults(ClientID, request: UInt32, [DefaultsEntry])
  /// Tell a client what others of its app have changed.
  case defaultsChanged(ClientID, [DefaultsEntry])
  /// Tell a client that what it has set is kept, or why not.
  case defaultsSettled(ClientID, request: UInt32, DefaultsRefusal?)
  /// Answer a request for the report.
  case report(ClientID, request: UInt32, Report)
  /// Answer a request for what was written.
  case reportWrites(ClientID, request: UInt32, Report)
  /// Look for the accelerometer, unless that is being done, and read it in this way; answered by its news.
  case watchAccelerometer(AccelerometerMachine.Mode)
  /// Write one line to the log.
  case log(LogLevel, String)
}
