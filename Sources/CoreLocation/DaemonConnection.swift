internal import BinnaclePosix
internal import Foundation
internal import Synchronization

/// The connection from the iterators of this process to the daemon.
///
/// The connection has a thread that waits in `poll`. The first iterator that requests an update starts the thread.
///
/// The thread resumes an app's loop directly: between the packet and the loop there is only the loop's own executor.
/// The thread is detached, so the process ends when its main program ends.
final class DaemonConnection: Sendable {
  private struct Inside {
    var orders: [OrderQueue.Order] = []
    var isStarted = false
  }

  private let directory: @Sendable () -> String
  private let program: String
  private let inside = Mutex(Inside())
  private let eventFD: EventFD?
  /// The thread's executor, for callers on the main actor.
  let executor = ConnectionExecutor()
  /// The open requests of this process's managers.
  let requests = AuthorizationRequests()

  /// Prepares a connection; the first request of an iterator starts the thread.
  ///
  /// - Parameters:
  ///   - program: the name that `binnacle status` shows for this client.
  ///   - directory: the daemon's runtime directory, evaluated at each attempt to connect.
  init(program: String, directory: @escaping @Sendable () -> String) {
    self.program = program
    self.directory = directory
    // Without an eventfd (no free descriptors) the thread checks for orders periodically.
    eventFD = try? EventFD()
  }

  func open(_ storage: UpdatesStorage) { post(.open(storage)) }

  func close(_ storage: UpdatesStorage) { post(.close(storage)) }

  func open(_ session: SessionStorage) { post(.openSession(session)) }

  func close(_ session: SessionStorage) { post(.closeSession(session)) }

  /// Reports the authorization of the app from now on, for the life of the process.
  func watch(_ authorization: AuthorizationStorage) { post(.watch(authorization)) }

  /// Reports the presses of buttons from now on, for the life of the process.
  func watch(_ buttons: ButtonsStorage) { post(.watchButtons(buttons)) }

  /// Reports the phase of the app from now on, for the life of the process.
  func watch(_ phase: PhaseStorage) { post(.watchPhase(phase)) }

  /// Serves the app's defaults from the first use on, for the life of the process.
  func serve(_ defaults: DefaultsStorage) { post(.serve(defaults)) }

  private func post(_ order: OrderQueue.Order) {
    let isFirst = inside.withLock { inside in
      inside.orders.append(order)
      defer { inside.isStarted = true }
      return !inside.isStarted
    }
    if isFirst { startThread() }
    eventFD?.signal()
  }

  private func startThread() {
    let loop = DaemonLoop(
      program: program, directory: directory, eventFD: eventFD, takeOrders: takeOrders)
    let thread = Thread { [executor] in
      executor.begin()
      loop.run()
    }
    thread.name = "CoreLocation"
    // The size is sufficient for the decoder and the resumed continuations; no code on this thread is recursive.
    thread.stackSize = 512 * 1_024
    thread.start()
  }

  private func takeOrders() -> [OrderQueue.Order] {
    inside.withLock { inside in
      defer { inside.orders = [] }
      return inside.orders
    }
  }
}

extension DaemonConnection {
  private static let shared = PerProcess {
    // The environment is read only once, here: later the program may change it on another thread.
    let names = ["BINNACLE_RUNTIME", "XDG_RUNTIME_DIR"]
    let values = names.map { Environment.value($0) }
    let user = Environment.userID
    let directory = ClientDirectory(userID: user) { name in
      names.firstIndex(of: name).flatMap { values[$0] }
    }
    return DaemonConnection(program: Environment.programName) { directory.path }
  }

  /// The connection of this process.
  ///
  /// The parent's connection stays open and unused in a forked child until the child calls `exec`.
  static var ofThisProcess: DaemonConnection { shared.value }
}
