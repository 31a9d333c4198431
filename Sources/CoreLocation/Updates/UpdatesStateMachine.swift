internal import BinnacleModel

/// What becomes of one iterator's updates between the connection and the loop.
///
///     idle -> waiting <-> buffering -> ending
///        \       \            \          \
///         +-------+------------+----------+-> finished
///
/// Inputs come from two sides: the loop asks (`nextCalled`, `canceled`, `dropped`) and the connection brings
/// (`updateArrived`, `refused`). At most one caller waits.
struct UpdatesStateMachine: Equatable {
  enum Effect: Equatable {
    /// Ask the daemon for updates.
    case openService
    /// Tell the daemon that they are no longer wanted.
    case closeService
    /// The waiting caller gets an update.
    case resume(Update)
    /// The waiting caller learns that there are no more.
    case resumeWithEnd
    /// The waiting caller learns why it is not served.
    case resumeWithRefusal(Refusal)
  }

  /// Why the daemon does not serve a sequence.
  struct Refusal: Equatable {
    var isNotPermitted: Bool
    var text: String
  }

  private enum State: Equatable {
    /// Nobody has asked. Can transition to: waiting, finished.
    case idle
    /// The loop waits for an update. Can transition to: buffering, finished.
    case waiting
    /// The loop is busy with an update; what arrives is kept. Can transition to: waiting, ending, finished.
    case buffering(UpdatesBuffer)
    /// The daemon has refused, the loop does not know yet. Can transition to: finished.
    case ending(UpdatesBuffer, Refusal)
    /// The loop has ended. Can transition to: nothing.
    case finished
  }

  private var state = State.idle

  /// How many updates were dropped because the loop was too slow.
  private(set) var droppedCount = 0

  // MARK: The loop

  /// The loop wants an update; the answer resumes it at once or says nothing, and then it waits.
  mutating func nextCalled() -> [Effect] {
    switch state {
    case .idle:
      state = .waiting
      return [.openService]
    case .waiting:
      preconditionFailure("two callers wait for the same iterator")
    case .buffering(var buffer):
      guard let update = buffer.popFirst() else {
        state = .waiting
        return []
      }
      state = .buffering(buffer)
      return [.resume(update)]
    case .ending(var buffer, let refusal):
      guard let update = buffer.popFirst() else {
        state = .finished
        return [.resumeWithRefusal(refusal)]
      }
      state = .ending(buffer, refusal)
      return [.resume(update)]
    case .finished:
      return [.resumeWithEnd]
    }
  }

  /// The loop's task was canceled.
  mutating func canceled() -> [Effect] {
    defer { state = .finished }
    switch state {
    case .idle, .ending, .finished: return []
    case .waiting: return [.closeService, .resumeWithEnd]
    case .buffering: return [.closeService]
    }
  }

  /// The iterator is gone: the loop was left.
  mutating func dropped() -> [Effect] {
    defer { state = .finished }
    switch state {
    case .idle, .ending, .finished: return []
    case .waiting: preconditionFailure("an iterator is gone while its caller waits")
    case .buffering: return [.closeService]
    }
  }

  // MARK: The connection

  mutating func updateArrived(_ update: Update) -> [Effect] {
    switch state {
    // Before the service was asked for, or after it was told to end: on its way when that happened.
    case .idle, .ending, .finished: return []
    case .waiting:
      state = .buffering(UpdatesBuffer())
      return [.resume(update)]
    case .buffering(var buffer):
      // Emptied first, so that the buffer is changed in place and not copied.
      state = .finished
      if buffer.append(update) { droppedCount += 1 }
      state = .buffering(buffer)
      return []
    }
  }

  /// The daemon ended the service for good.
  mutating func refused(_ refusal: Refusal) -> [Effect] {
    switch state {
    case .idle, .ending, .finished: return []
    case .waiting:
      state = .finished
      return [.resumeWithRefusal(refusal)]
    case .buffering(let buffer):
      state = .ending(buffer, refusal)
      return []
    }
  }
}
