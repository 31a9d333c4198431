import CBinnaclePosix
import Glibc

/// A detached thread for calls that may block their caller; the thread ends when its body returns.
public enum WorkThread {
  private final class Work {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts a thread.
  ///
  /// The thread blocks all signals: the main thread gets them. The corresponding C function is `pthread_create`.
  ///
  /// - Parameters:
  ///   - name: the name in `ps -L` and in a debugger, cut to 15 bytes.
  ///   - body: the work, which reports its own end.
  /// - Throws: the error of the system when no thread can be started.
  public static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    let work = Unmanaged.passRetained(Work(name: name, body: body))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &before)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        cposix_name_thread(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard failure == 0 else {
      work.release()
      throw Errno(code: failure)
    }
    pthread_detach(thread)
  }
}
