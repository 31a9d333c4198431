import BinnacleBasics
import BinnacleModel
import LocationEngine
import Testing
import UBX

/// Headers that claim 8,176 bytes, just below what is believed, in front of good frames.
@Suite struct HostileLengthTests {
  private static let header: [UInt8] = [0xB5, 0x62, 0x01, 0x35, 0xF0, 0x1F]

  private func number(_ name: String, of desk: inout OddReceiver) -> Int64 {
    if case .integer(let number)? = desk.report()[name] { number } else { -1 }
  }

  private func runningReceiver(at speed: Int) -> OddReceiver {
    var desk = OddReceiver()
    desk.epoch = { $0.solution + NavEOE(iTOWMilliseconds: 0).frame + NavSTATUS().frame }
    desk.open(.uart, speed: speed)
    desk.run(seconds: 20)
    return desk
  }

  @Test(
    arguments: [4_800, 9_600, 115_200], [1, 2, 5, 10, 20, 200])
  func noGoodFrameIsLostAndEveryByteIsCounted(speed: Int, count: Int) {
    var desk = runningReceiver(at: speed)
    let logged = desk.lines.count
    let epochs = number("receiver.epochs", of: &desk)
    let frames = number("receiver.frames", of: &desk)
    let damage = number("damage.bytes", of: &desk)
    let hostile = (0..<count).flatMap { _ in HostileLengthTests.header }
    desk.handle(.receiver(.bytesArrived(hostile)))
    desk.run(seconds: speed == 4_800 ? 6 : 4)
    #expect(number("receiver.epochs", of: &desk) >= epochs + 3)
    desk.run(seconds: 14)
    desk.epoch = { _ in [] }
    desk.run(seconds: 1)
    let seconds: Int64 = speed == 4_800 ? 20 : 18
    #expect(number("receiver.epochs", of: &desk) == epochs + seconds)
    #expect(number("receiver.frames", of: &desk) >= frames + 3 * seconds)
    #expect(number("damage.bytes", of: &desk) == damage + Int64(6 * count))
    #expect(number("receiver.searches", of: &desk) == 1)
    #expect(desk.lines.count == logged, "\(desk.lines.dropFirst(logged))")
  }

  /// They came before the line changed, whatever it changes to.
  @Test func aChangeOfSpeedReleasesBytesBehindAFalseLength() {
    var desk = runningReceiver(at: 9_600)
    let epochs = number("receiver.epochs", of: &desk)
    let frames = number("receiver.frames", of: &desk)
    let damage = number("damage.bytes", of: &desk)
    desk.handle(.receiver(.bytesArrived(HostileLengthTests.header + desk.epoch(desk))))
    #expect(number("receiver.frames", of: &desk) == frames)
    desk.handle(.receiver(.speedChanged(115_200)))
    #expect(number("receiver.epochs", of: &desk) == epochs + 1)
    #expect(number("receiver.frames", of: &desk) == frames + 3)
    #expect(number("damage.bytes", of: &desk) == damage + 6)
  }

  /// They are too old to be handed out, and are counted.
  @Test func bytesThatASilenceMadeStaleAreCounted() {
    var desk = runningReceiver(at: 9_600)
    let frames = number("receiver.frames", of: &desk)
    desk.handle(.receiver(.bytesArrived(HostileLengthTests.header + desk.epoch(desk))))
    // No deadline passes meanwhile.
    desk.now += .seconds(3)
    desk.handle(.receiver(.bytesArrived([])))
    #expect(number("receiver.frames", of: &desk) == frames + 3)
    #expect(number("receiver.epochs_dropped", of: &desk) == 1)
  }

  /// A good frame that has just begun behind the hostile ones is not given up with them.
  @Test func aFrameThatIsComingInIsWaitedFor() {
    var desk = runningReceiver(at: 9_600)
    let epochs = number("receiver.epochs", of: &desk)
    let damage = number("damage.bytes", of: &desk)
    desk.epoch = { _ in [] }
    desk.handle(.receiver(.bytesArrived(HostileLengthTests.header + HostileLengthTests.header)))
    desk.run(seconds: 2)
    desk.now += .milliseconds(450)
    let solution = desk.solution
    desk.handle(.receiver(.bytesArrived(Array(solution[..<40]))))
    desk.now += .milliseconds(60)
    desk.handle(.deadlineReached)
    desk.handle(.receiver(.bytesArrived(Array(solution[40...]))))
    #expect(number("receiver.epochs", of: &desk) == epochs + 1)
    #expect(number("damage.bytes", of: &desk) == damage + 12)
  }
}
