internal import BinnacleModel
internal import Synchronization

/// The open requests of a process's managers for an authorization or for full accuracy.
///
/// A repeated request joins the open one. The user is asked once, and the daemon admits a limited number of objects of a
/// process. ``RequestMachine`` decides when a request is over.
final class AuthorizationRequests: Sendable {
  /// Is called at the end of a request, with whether the user was asked.
  typealias Completion = @Sendable (_ wasAsked: Bool) -> Void

  private struct Open {
    let number: Int
    let object: SessionStorage
    var machine: RequestMachine
    var completions: [Completion]
  }

  private struct Inside {
    var open: [Open] = []
    var lastNumber = 0
    /// The last known authorization of the app; nil before the first request.
    var authorization: AuthorizationState?
    var isListening = false
  }

  private let inside = Mutex(Inside())

  /// Makes a request that lasts until the user has answered, or joins the open one.
  ///
  /// - Parameters:
  ///   - session: the request.
  ///   - authorization: the authorization of the app.
  ///   - service: the connection to the daemon.
  ///   - completion: is called on the connection's thread at the end of the request.
  func make(
    _ session: AppSession, authorization: AuthorizationStorage,
    service: @escaping @Sendable () -> DaemonConnection, completion: Completion? = nil
  ) {
    listen(to: authorization)
    let completions = completion.map { [$0] } ?? []
    let object = inside.withLock { inside -> SessionStorage? in
      if let index = inside.open.firstIndex(where: { $0.object.session == session }) {
        inside.open[index].completions += completions
        return nil
      }
      inside.lastNumber += 1
      let number = inside.lastNumber
      let object = SessionStorage(session, service: service) { [weak self] news in
        self?.take(news, of: number)
      }
      let subject: RequestMachine.Subject =
        if case .fullAccuracyRequest = session { .accuracy } else { .authorization }
      inside.open.append(
        Open(
          number: number, object: object, machine: RequestMachine(subject),
          completions: completions))
      return object
    }
    object?.begin()
  }

  private func listen(to authorization: AuthorizationStorage) {
    let isFirst = inside.withLock { inside in
      defer { inside.isListening = true }
      return !inside.isListening
    }
    guard isFirst else { return }
    authorization.listen(as: self) { [weak self] state in
      self?.change { inside in
        inside.authorization = state
        return inside.open.filter { $0.machine.authorizationChanged(to: state) }
      }
    }
  }

  /// Takes news of a request's object.
  private func take(_ news: SessionStorage.News, of number: Int) {
    change { inside in
      guard let index = inside.open.firstIndex(where: { $0.number == number }) else { return [] }
      let authorization = inside.authorization
      switch news {
      case .disconnected:
        inside.open[index].machine.disconnected(authorization: authorization)
        return []
      case .diagnostic(let flags):
        let isOver = inside.open[index].machine.arrived(flags, authorization: authorization)
        return isOver ? [inside.open[index]] : []
      }
    }
  }

  /// Changes the state inside the lock, and ends the requests that are over outside of the lock.
  private func change(_ change: (inout Inside) -> [Open]) {
    let over = inside.withLock { inside in
      let over = change(&inside)
      inside.open.removeAll { open in over.contains { $0.number == open.number } }
      return over
    }
    for request in over {
      request.object.end()
      for completion in request.completions { completion(request.machine.wasAsked) }
    }
  }
}
