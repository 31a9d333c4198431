internal import Glibc

/// A lock with a condition, whose waits have a limit on the monotonic clock.
///
/// The limit of `NSCondition` is a time of the wall clock. A board without a battery for its clock sets the wall clock
/// while apps start. Each thread may call the methods: the pointers are constants.
final class MonotonicCondition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Wakes all waiting threads.
  func broadcast() { pthread_cond_broadcast(condition) }

  /// Unlocks, waits for a broadcast, and locks again.
  ///
  /// - Parameter nanoseconds: the end of the wait on `CLOCK_MONOTONIC`.
  /// - Returns: false at the end of the time; a wait may also return true without a broadcast.
  func wait(until nanoseconds: Int64) -> Bool {
    var time = timespec()
    time.tv_sec = numericCast(nanoseconds / 1_000_000_000)
    time.tv_nsec = numericCast(nanoseconds % 1_000_000_000)
    return pthread_cond_timedwait(condition, mutex, &time) == 0
  }
}
