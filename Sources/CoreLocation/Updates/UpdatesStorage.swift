internal import BinnacleBasics
internal import BinnacleModel
internal import Foundation
internal import Synchronization

/// The lock and the waiting caller of one iterator; ``UpdatesStateMachine`` decides.
final class UpdatesStorage: Sendable {
  /// Owned by the iterator alone: the end of the iterator ends the service.
  final class Lease: Sendable {
    let storage: UpdatesStorage

    init(_ storage: UpdatesStorage) {
      self.storage = storage
    }

    deinit {
      storage.act { $0.dropped() }
    }
  }

  /// The machine resumes a caller once, so the continuation needs no check of its own at each update.
  private typealias Caller = UnsafeContinuation<Update?, any Error>

  private struct Inside {
    var machine = UpdatesStateMachine()
    var caller: Caller?
  }

  let configuration: LiveConfiguration
  /// Whether the app wants the approximate location.
  let options: SequenceOptions
  private let service: @Sendable () -> DaemonConnection
  private let inside = Mutex(Inside())

  init(
    configuration: LiveConfiguration, options: SequenceOptions = [],
    service: @escaping @Sendable () -> DaemonConnection
  ) {
    self.configuration = configuration
    self.options = options
    self.service = service
  }

  // MARK: The loop

  func next(isolation actor: isolated (any Actor)?) async throws -> Update? {
    let executor = actor === MainActor.shared ? service().executor : nil
    return try await withTaskCancellationHandler(
      operation: {
        try await withTaskExecutorPreference(executor, isolation: actor) {
          try await withUnsafeThrowingContinuation(isolation: actor) { caller in
            act(for: caller) { $0.nextCalled() }
          }
        }
      },
      onCancel: { act { $0.canceled() } },
      isolation: actor)
  }

  // MARK: The connection

  func updateArrived(_ update: Update) {
    act { $0.updateArrived(update) }
  }

  func refused(_ refusal: UpdatesStateMachine.Refusal) {
    act { $0.refused(refusal) }
  }

  // MARK: Acting

  /// Gives an input to the machine inside the lock and resumes the caller outside the lock.
  ///
  /// The service is opened and closed inside the lock, so that it receives both in this order. The service never calls
  /// back during these calls.
  private func act(
    for newCaller: Caller? = nil,
    _ input: (inout UpdatesStateMachine) -> UpdatesStateMachine.Effects
  ) {
    typealias Resumed = (caller: Caller, result: UpdatesStateMachine.Resumption)
    let resumed = inside.withLock { inside -> Resumed? in
      if let newCaller { inside.caller = newCaller }
      let effects = input(&inside.machine)
      switch effects.service {
      case .open: service().open(self)
      case .close: service().close(self)
      case nil: break
      }
      guard let result = effects.resumption, let caller = inside.caller.take() else { return nil }
      return (caller, result)
    }
    guard let (caller, result) = resumed else { return }
    switch result {
    case .update(let update): caller.resume(returning: update)
    case .end: caller.resume(returning: nil)
    case .refusal(let refusal): caller.resume(throwing: CLError(refusal))
    }
  }
}

extension CLError {
  /// The error for a loop that the daemon refuses.
  fileprivate init(_ refusal: UpdatesStateMachine.Refusal) {
    self.init(
      refusal.isNotPermitted ? .denied : .network,
      userInfo: [NSLocalizedDescriptionKey: PlainText.line(refusal.text)])
  }
}
