import BinnacleBasics
import Simulation
import Testing

/// A receiver at another port than UART1 obeys the settings of that port.
struct PortTests {
  private static func isNavigation(_ frame: RecordedFrame) -> Bool {
    frame.messageClass == 0x01 && frame.id == 0x07
  }

  @Test func anM8AtUSBTakesTheRatesOfUSB() {
    var desk = ReceiverDesk(.m8, port: .usb)
    desk.run(milliseconds: 1_000)
    #expect(desk.isAcknowledged(0x06, 0x01, [0x01, 0x07, 0, 1, 0, 0, 0, 0]) == true)
    desk.run(milliseconds: 3_000)
    #expect(!desk.messages.contains(where: PortTests.isNavigation))
    #expect(desk.isAcknowledged(0x06, 0x01, [0x01, 0x07, 0, 0, 0, 1, 0, 0]) == true)
    desk.run(milliseconds: 3_000)
    #expect(desk.messages.contains(where: PortTests.isNavigation))
  }

  @Test func anM8AtUSBStopsSendingWhenItsPortIsConfigured() {
    var desk = ReceiverDesk(.m8, port: .usb)
    desk.run(milliseconds: 2_000)
    let silence: [UInt8] = [UInt8](repeating: 0, count: 11) + [7, 0, 1, 0, 0, 0, 0, 0]
    #expect(desk.isAcknowledged(0x06, 0x00, [1] + silence) == true)
    desk.run(milliseconds: 2_000)
    #expect(desk.sentences.count > 10)
    #expect(desk.isAcknowledged(0x06, 0x00, [3] + silence) == true)
    desk.run(milliseconds: 1_500)
    let count = desk.sentences.count
    desk.run(milliseconds: 5_000)
    #expect(desk.sentences.count == count)
  }

  @Test func anM10AtI2CTakesTheKeysOfI2C() {
    var desk = ReceiverDesk(.m10, port: .i2c)
    desk.run(milliseconds: 1_000)
    #expect(desk.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x2091_0007, [1])])) == true)
    desk.run(milliseconds: 3_000)
    #expect(!desk.messages.contains(where: PortTests.isNavigation))
    #expect(desk.isAcknowledged(0x06, 0x8A, ReceiverDesk.values([(0x2091_0006, [1])])) == true)
    desk.run(milliseconds: 3_000)
    #expect(desk.messages.contains(where: PortTests.isNavigation))
  }

  @Test func anM10HasNoUSB() {
    #expect(!SimulatedPort.usb.isThere(on: .m10))
    #expect(SimulatedPort.usb.isThere(on: .m8))
  }
}
