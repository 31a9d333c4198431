public import Accelerometers
public import BinnacleBasics
public import BinnacleModel
public import StateLog

/// An order that the daemon carries out.
///
/// Effects are grouped by the part of the board that carries them out. A trace contains effects beside the events, so a
/// replay shows where the engine's effects differ.
public enum Effect: Equatable, Codable, Sendable {
  case receiver(Receiver)
  case client(ClientID, Client)
  case line(LineID, Line)
  /// Search for the accelerometer, unless a search is under way, and read it in this mode; answered by its news.
  case watchAccelerometer(AccelerometerMachine.Mode)
  case storage(Storage)
  case launcher(AppID, Launcher)
  /// Carry out this order with the log of tracks.
  case track(TrackOrder)
  /// Write one line to the log.
  case log(LogLevel, String)

  /// Orders to the receiver's line.
  public enum Receiver: Equatable, Codable, Sendable {
    /// Open the device at this speed (baud); answered by `opened` or `openFailed`.
    case open(speed: Int)
    /// Close the device; not answered.
    case close
    /// Write these bytes; answered by `drained` once they have left the board, or by `lost`.
    case write([UInt8])
    /// Fetch the receiver's bytes, or do not access its bus while the receiver sleeps.
    ///
    /// The order is not answered, and has no effect on a serial line.
    case attend(Bool)
    /// Change the speed (baud) after everything written has drained; answered by `speedChanged` or `speedRefused`.
    case setSpeed(Int)
  }

  /// Messages to a client.
  public enum Client: Equatable, Codable, Sendable {
    /// Deliver one update to these sequences.
    case deliver([SequenceID], Update)
    /// End a sequence that the limits do not allow.
    case endUpdates(SequenceID, reason: String)
    /// Answer a request that changes something: done, or the reason of the failure.
    case answer(request: UInt32, failure: String?)
    /// Answer with all defaults of the client's app.
    case defaults(request: UInt32, [DefaultsEntry])
    /// Inform the client which defaults other clients of its app have changed.
    case defaultsChanged([DefaultsEntry])
    /// Inform the client that its change of defaults is stored, or why it is refused.
    case defaultsSettled(request: UInt32, DefaultsRefusal?)
    /// Answer a request for the report.
    case report(request: UInt32, Report)
    /// Answer a request for the counts of writes.
    case reportWrites(request: UInt32, Report)
    /// Answer a request for the satellites in view.
    case skyReport(request: UInt32, Sky)
    /// Inform the client why its request for the satellites in view is refused.
    case skyRefusal(request: UInt32, SkyRefusal)
    /// Answer a request for a list, with one report for each row.
    case rows(request: UInt32, [Report])
    /// Answer a request for the history of the last day.
    case day(request: UInt32, DayReport)
    /// Inform the client why a session object does not have its full effect; empty: it has.
    case sessionDiagnostic(SessionID, SessionFlags)
    /// Inform a client that watches of the authorization of its app.
    case authorization(AuthorizationState)
    /// Inform a client in the foreground of a press of a button.
    case button(ButtonPress)
    /// Inform a client that watches of the phase of its app.
    case phase(AppPhase)
    /// Send the client the latest output of an app, which the daemon has; `isFollowed`: then each further line, too.
    case output(request: UInt32, AppID, isFollowed: Bool)
    /// Inform the client why its request about the rights or the records of an app has failed.
    case consentRefusal(request: UInt32, ConsentRefusal)
    /// Compare the PIN of a console's request with the board's hash; answered by `pinChecked`.
    case checkPIN(request: UInt32)
    /// Report what unlocks consoles: this gesture, and the PIN if the board has one.
    case describeLock(request: UInt32, PresenceGesture?)
    /// Give a console a token, whose bearers have the rights of an operator until `locked`.
    case unlocked(request: UInt32, for: Interval)
    /// Lock a console: the token of the console is worth nothing from now on, and connections with the token end.
    case locked
    /// Deliver a new sky to a client that watches.
    case sky(Sky)
  }

  /// Orders to a GPIO line.
  public enum Line: Equatable, Codable, Sendable {
    /// Claim the line; answered by `opened` or `lost`.
    case open
    /// Drive an output; answered by `read` with the resulting level, or by `lost`.
    case set(isActive: Bool)
    /// Read the level; answered by `read` or `lost`.
    case read
  }

  /// Orders to the log of state.
  public enum Storage: Equatable, Codable, Sendable {
    /// Write these changes, as one commit; answered by `committed` or `commitFailed` with this number.
    case commit(number: UInt32, [Change])
    /// Try again to open the log; answered by `read`.
    case open
  }
}

extension Effect {
  /// The part of an effect that still has a receiver after an event of a client; nil if none has.
  ///
  /// The event may end a connection, a sequence or a session. A message that was made just before can no longer reach it.
  func remaining(after event: Event.Client, of client: ClientID) -> Effect? {
    guard case .client(client, let message) = self else { return self }
    switch (event, message) {
    case (.disconnected, _): return nil
    case (.updatesClosed(let closed), .deliver(let sequences, let update)):
      let others = sequences.filter { $0 != closed }
      return others.isEmpty ? nil : .client(client, .deliver(others, update))
    case (.updatesClosed(let closed), .endUpdates(let id, _)): return id == closed ? nil : self
    case (.sessionClosed(let closed), .sessionDiagnostic(let id, _)):
      return id == closed ? nil : self
    case _: return self
    }
  }
}
