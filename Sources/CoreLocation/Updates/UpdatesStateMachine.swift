internal import BinnacleModel

/// The state of one iterator's updates between the connection and the loop.
///
///     idle -> waiting <-> buffering -> ending
///        \       \            \          \
///         +-------+------------+----------+-> finished
///
/// Inputs come from two sides: the loop (`nextCalled`, `canceled`, `dropped`) and the connection (`updateArrived`,
/// `refused`). At most one caller waits.
struct UpdatesStateMachine: Equatable {
  enum Effect: Equatable {
    /// Request updates from the daemon.
    case openService
    /// End the updates of the daemon.
    case closeService
    /// Resume the waiting caller with an update.
    case resume(Update)
    /// Resume the waiting caller with the end of the sequence.
    case resumeWithEnd
    /// Resume the waiting caller with the refusal.
    case resumeWithRefusal(Refusal)
  }

  /// The reason why the daemon refuses a sequence.
  struct Refusal: Equatable {
    var isNotPermitted: Bool
    var text: String
  }

  private enum State: Equatable {
    /// The loop has not requested an update. Can transition to: waiting, finished.
    case idle
    /// The loop waits for an update. Can transition to: buffering, finished.
    case waiting
    /// The loop processes an update; arriving updates are buffered. Can transition to: waiting, ending, finished.
    case buffering(UpdatesBuffer)
    /// The daemon has refused, and the loop has not received the refusal yet. Can transition to: finished.
    case ending(UpdatesBuffer, Refusal)
    /// The loop has ended. Can transition to: nothing.
    case finished
  }

  private var state = State.idle

  /// The number of updates dropped because the loop was too slow.
  private(set) var droppedCount = 0

  // MARK: The loop

  /// The loop requests an update: either an effect resumes the caller at once, or the caller waits.
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

  /// The iterator was released: the loop has ended.
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
    // The update was sent before the service was requested, or before it ended.
    case .idle, .ending, .finished: return []
    case .waiting:
      state = .buffering(UpdatesBuffer())
      return [.resume(update)]
    case .buffering(var buffer):
      // The state is replaced first, so that the buffer is changed in place and not copied.
      state = .finished
      if buffer.append(update) { droppedCount += 1 }
      state = .buffering(buffer)
      return []
    }
  }

  /// The daemon refused the sequence.
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
