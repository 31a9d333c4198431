import BinnacleBasics
import Glibc
import Testing

@testable import BinnaclePosix

struct ListenerPauseTests {
  private let now = Instant.zero + .seconds(60)

  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
  func aListenerPausesForASecondWithoutDescriptorsOrMemory(code: Int32) {
    var pause = ListenerPause()
    let hasBegun = pause.begin(after: Errno(code: code), at: now)
    #expect(hasBegun)
    #expect(pause.end == now + .seconds(1))
    pause.deadlineReached(at: now + .milliseconds(999))
    #expect(pause.end != nil)
    pause.deadlineReached(at: now + .seconds(1))
    #expect(pause.end == nil)
  }

  @Test(arguments: [ECONNABORTED, EPERM, EINTR])
  func aListenerDoesNotPauseAfterTheErrorOfOneConnection(code: Int32) {
    var pause = ListenerPause()
    let hasBegun = pause.begin(after: Errno(code: code), at: now)
    #expect(!hasBegun)
    #expect(pause.end == nil)
  }
}
