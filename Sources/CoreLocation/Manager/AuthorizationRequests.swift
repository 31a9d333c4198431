internal import BinnacleModel
internal import Synchronization

/// The open requests of a process's managers for an authorization or for full accuracy.
///
/// A repeated request joins the open one. The user is asked once, and the daemon admits a limited number of objects of a
/// process.
final class AuthorizationRequests: Sendable {
  /// Is called at the end of a request, with whether the user was asked.
  typealias Completion = @Sendable (_ wasAsked: Bool) -> Void

  private struct Open {
    let number: Int
    let object: SessionStorage
    var completions: [Completion]
    var wasAsked = false
  }

  private struct Inside {
    var open: [Open] = []
    var lastNumber = 0
  }

  private let inside = Mutex(Inside())

  /// Makes a request that lasts until the user has answered, or joins the open one.
  ///
  /// - Parameters:
  ///   - session: the request.
  ///   - service: the connection to the daemon.
  ///   - completion: is called on the connection's thread at the end of the request.
  func make(
    _ session: AppSession, service: @escaping @Sendable () -> DaemonConnection,
    completion: Completion? = nil
  ) {
    let completions = completion.map { [$0] } ?? []
    let object = inside.withLock { inside -> SessionStorage? in
      if let index = inside.open.firstIndex(where: { $0.object.session == session }) {
        inside.open[index].completions += completions
        return nil
      }
      inside.lastNumber += 1
      let number = inside.lastNumber
      let object = SessionStorage(session, service: service) { [weak self] flags in
        self?.take(flags, of: number)
      }
      inside.open.append(Open(number: number, object: object, completions: completions))
      return object
    }
    object?.begin()
  }

  /// Takes a diagnostic of a request; the request ends when it is not in progress.
  private func take(_ flags: SessionFlags, of number: Int) {
    let ended = inside.withLock { inside -> Open? in
      guard let index = inside.open.firstIndex(where: { $0.number == number }) else { return nil }
      guard flags.contains(.authorizationRequestInProgress) else {
        return inside.open.remove(at: index)
      }
      inside.open[index].wasAsked = true
      return nil
    }
    guard let ended else { return }
    ended.object.end()
    for completion in ended.completions { completion(ended.wasAsked) }
  }
}
