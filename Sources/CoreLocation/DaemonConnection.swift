internal import BinnaclePosix
internal import Foundation
internal import Synchronization

/// The way from the iterators of this process to the daemon: a thread that waits in `poll`, started by the
/// first iterator that asks for an update.
///
/// The thread wakes an app's loop directly: from the packet to the loop there is nothing in between but the
/// loop's own executor. It is detached, so a process ends when its main program does.
final class DaemonConnection: Sendable {
  private struct Inside {
    var orders: [OrderQueue.Order] = []
    var isStarted = false
  }

  private let directory: @Sendable () -> String
  private let program: String
  private let inside = Mutex(Inside())
  private let eventFD: EventFD?

  /// Prepares a connection; nothing happens before an iterator asks.
  ///
  /// - Parameters:
  ///   - program: the name that `binnacle status` shows for this client.
  ///   - directory: the daemon's runtime directory, looked up anew at every attempt.
  init(program: String, directory: @escaping @Sendable () -> String) {
    self.program = program
    self.directory = directory
    // Without it (no descriptors left) the thread looks for orders now and then.
    eventFD = try? EventFD()
  }

  func open(_ storage: UpdatesStorage) { post(.open(storage)) }

  func close(_ storage: UpdatesStorage) { post(.close(storage)) }

  /// Carries what the app keeps, from the first time on for as long as the process lives.
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
    let thread = Thread { loop.run() }
    thread.name = "CoreLocation"
    // Room for the decoder and the resumed continuations; nothing recursive runs here.
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
  private struct OfProcess {
    var processID: Int32
    var connection: DaemonConnection
  }

  private static let shared = Mutex<OfProcess?>(nil)

  /// The connection of `liveUpdates()`.
  ///
  /// A forked child has no copy of the thread, so it gets a connection of its own; its parent's stays open
  /// and unused in it until it calls `exec`.
  static var ofThisProcess: DaemonConnection {
    shared.withLock { shared in
      let processID = Environment.processID
      if let shared, shared.processID == processID { return shared.connection }
      // The environment is read once, here: later the program may be changing it on another thread.
      let names = ["BINNACLE_RUNTIME", "XDG_RUNTIME_DIR"]
      let values = names.map { Environment.value($0) }
      let user = Environment.userID
      let connection = DaemonConnection(program: Environment.programName) {
        RuntimeDirectory.ofClient(userID: user) { name in
          names.firstIndex(of: name).flatMap { values[$0] }
        }
      }
      shared = OfProcess(processID: processID, connection: connection)
      return connection
    }
  }
}
