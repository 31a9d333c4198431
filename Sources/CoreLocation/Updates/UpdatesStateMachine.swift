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
  /// The effects of an input: at most one on the service, and at most one on the waiting caller.
  struct Effects: Equatable {
    static let nothing = Effects()

    var service: ServiceChange?
    var resumption: Resumption?
  }

  enum ServiceChange: Equatable {
    /// Request updates from the daemon.
    case open
    /// End the updates of the daemon.
    case close
  }

  /// The result with which the waiting caller resumes.
  enum Resumption: Equatable {
    case update(Update)
    /// The end of the sequence.
    case end
    case refusal(Refusal)
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
  mutating func nextCalled() -> Effects {
    switch state {
    case .idle:
      state = .waiting
      return .init(service: .open)
    case .waiting:
      preconditionFailure("two callers wait for the same iterator")
    case .buffering(var buffer):
      guard let update = buffer.popFirst() else {
        state = .waiting
        return .nothing
      }
      state = .buffering(buffer)
      return .init(resumption: .update(update))
    case .ending(var buffer, let refusal):
      guard let update = buffer.popFirst() else {
        state = .finished
        return .init(resumption: .refusal(refusal))
      }
      state = .ending(buffer, refusal)
      return .init(resumption: .update(update))
    case .finished:
      return .init(resumption: .end)
    }
  }

  /// The loop's task was canceled.
  mutating func canceled() -> Effects {
    defer { state = .finished }
    switch state {
    case .idle, .ending, .finished: return .nothing
    case .waiting: return .init(service: .close, resumption: .end)
    case .buffering: return .init(service: .close)
    }
  }

  /// The iterator was released: the loop has ended.
  mutating func dropped() -> Effects {
    defer { state = .finished }
    switch state {
    case .idle, .ending, .finished: return .nothing
    case .waiting: preconditionFailure("an iterator is gone while its caller waits")
    case .buffering: return .init(service: .close)
    }
  }

  // MARK: The connection

  mutating func updateArrived(_ update: Update) -> Effects {
    switch state {
    // The update was sent before the service was requested, or before it ended.
    case .idle, .ending, .finished: return .nothing
    case .waiting:
      state = .buffering(UpdatesBuffer())
      return .init(resumption: .update(update))
    case .buffering(var buffer):
      // The state is replaced first, so that the buffer is changed in place and not copied.
      state = .finished
      if buffer.append(update) { droppedCount += 1 }
      state = .buffering(buffer)
      return .nothing
    }
  }

  /// The daemon refused the sequence.
  mutating func refused(_ refusal: Refusal) -> Effects {
    switch state {
    case .idle, .ending, .finished: return .nothing
    case .waiting:
      state = .finished
      return .init(resumption: .refusal(refusal))
    case .buffering(let buffer):
      state = .ending(buffer, refusal)
      return .nothing
    }
  }
}
