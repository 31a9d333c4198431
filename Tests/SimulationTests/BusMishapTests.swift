import I2C
import Simulation
import Testing

struct BusMishapTests {
  private let transfer = I2CTransfer.read(6, from: 0x28, of: 0x18)

  @Test func theNextTransfersGoWrongAndNoMore() {
    var mishap = BusMishap(seed: 1)
    mishap.next(2, .nak, address: 0x18)
    mishap.next(1, .stretch, address: 0x53)
    let courses = (0..<3).map { _ in mishap.course(of: transfer) }
    #expect(courses == [.fail(errno: 121), .fail(errno: 121), .carryOut])
    #expect(mishap.count == 2)
  }

  @Test func aShareOfAllTransfersGoesWrong() {
    var mishap = BusMishap(seed: 1)
    mishap.always(.glitch, share: 0.01)
    for _ in 0..<10_000 { _ = mishap.course(of: transfer) }
    #expect((60...140).contains(mishap.count))
    let before = mishap.count
    mishap.always(.glitch, share: 0)
    for _ in 0..<1_000 { _ = mishap.course(of: transfer) }
    #expect(mishap.count == before)
  }

  @Test func nothingGetsThroughAStuckBus() {
    var mishap = BusMishap(seed: 1)
    mishap.isStuck = true
    #expect(mishap.course(of: transfer) == .leaveUnanswered)
    mishap.isStuck = false
    #expect(mishap.course(of: transfer) == .carryOut)
  }
}
