import BinnacleBasics
import BinnacleModel
import Board
import Testing

struct ProfileHardwareTests {
  /// A chip and a bus, as most of these profiles need them.
  let board = "[Board]\nGPIO=pinctrl-rp1\nI2C=/dev/i2c-1\n"

  func profile(_ text: String) throws -> Profile {
    try Profile(parsing: Array(text.utf8), file: "f.conf")
  }

  /// The complaints about files in this order; empty when there are none.
  func complaints(_ texts: String...) -> [String] {
    let files = texts.enumerated().map { index, text in
      SettingsFile(path: index == 0 ? "f.conf" : "\(index).conf", bytes: Array(text.utf8))
    }
    do {
      _ = try Profile(parsing: files)
      return []
    } catch {
      return error.description.split(separator: "\n").map { String($0) }
    }
  }

  @Test func everySectionOfTheHardwareIsTaken() throws {
    let profile = try profile(
      """
      [Board]
      Name=Raspberry Pi 4 Model B
      Compatible=raspberrypi,4-model-b raspberrypi,400
      GPIO=pinctrl-bcm2711
      I2C=/dev/i2c-1
      [Receiver]
      Device=i2c
      Address=0x43
      TxReady=GPIO4
      [Accelerometer]
      Chip=lis3dh
      Address=0x18
      Interrupt=GPIO17
      Range=8 g
      Rate=100 Hz
      [Indicator]
      Line=GPIO23
      ActiveLow=yes
      Sense=GPIO25
      [StatusLED]
      Line=pin 24
      ActiveLow=yes
      [Button HOME]
      Line=GPIO5
      [Button ALLOW-2]
      Line=GPIO6
      ActiveLow=no
      Bias=as-is
      Debounce=5 ms
      [Buttons]
      LongPress=3 s
      ShortMax=1 s
      DoubleWindow=300 ms
      """)
    #expect(profile.board.name == "Raspberry Pi 4 Model B")
    #expect(profile.board.compatible == ["raspberrypi,4-model-b", "raspberrypi,400"])
    #expect(profile.board.lines == .chip(label: "pinctrl-bcm2711"))
    #expect(profile.board.bus == .device(path: "/dev/i2c-1"))
    #expect(profile.receiver.device == .i2c)
    #expect(profile.receiver.address == 0x43)
    #expect(profile.receiver.txReady == "GPIO4")
    var accelerometer = Profile.Accelerometer()
    accelerometer.chip = .lis3dh
    accelerometer.address = 0x18
    accelerometer.interrupt = "GPIO17"
    accelerometer.rangeG = 8
    accelerometer.rateHz = 100
    #expect(profile.accelerometer == accelerometer)
    var indicator = Profile.Indicator(line: "GPIO23")
    indicator.isActiveLow = true
    indicator.sense = "GPIO25"
    #expect(profile.indicator == indicator)
    var statusLED = Profile.StatusLED(line: "pin 24")
    statusLED.isActiveLow = true
    #expect(profile.statusLED == statusLED)
    var allow = Profile.Button(name: "ALLOW-2", line: "GPIO6")
    allow.isActiveLow = false
    allow.bias = .asIs
    allow.debounce = .milliseconds(5)
    #expect(profile.buttons == [Profile.Button(name: "HOME", line: "GPIO5"), allow])
    #expect(profile.buttonTiming.longPress == .seconds(3))
    #expect(profile.buttonTiming.shortMax == .seconds(1))
    #expect(profile.buttonTiming.doubleWindow == .milliseconds(300))
  }

  @Test func blinkingSettlingAndActionsOfButtonsAreSettings() throws {
    let profile = try profile(
      """
      [Board]
      GPIO=pinctrl-bcm2711
      [Indicator]
      Line=GPIO23
      Settling=100 ms
      [StatusLED]
      Line=GPIO24
      SlowBlink=2 s
      FastBlink=250 ms
      [Button HOME]
      Line=GPIO5
      Short=mark
      Double=services
      [Button MARK]
      Line=GPIO6
      [Button SERVICES]
      Line=GPIO7
      [Button OTHER]
      Line=GPIO8
      """)
    #expect(profile.indicator?.settling == .milliseconds(100))
    #expect(profile.statusLED?.slowBlink == .seconds(2))
    #expect(profile.statusLED?.fastBlink == .milliseconds(250))
    #expect(
      profile.buttons.map(\.actions) == [
        ButtonActions(short: .mark, long: .quit, double: .services), ButtonActions(short: .mark),
        ButtonActions(long: .services), ButtonActions(),
      ])
  }

  @Test func aButtonIsPressedToGroundUnlessItStatesOtherwise() throws {
    let button = try profile(board + "[Button HOME]\nLine=GPIO5").buttons[0]
    #expect(button.isActiveLow)
    #expect(button.bias == .pullUp)
    #expect(button.debounce == .milliseconds(10))
  }

  @Test func anAccelerometerIsProbedWhenItsSectionExists() throws {
    #expect(try profile(board).accelerometer == nil)
    #expect(try profile(board + "[Accelerometer]\n").accelerometer == Profile.Accelerometer())
    #expect(try profile(board + "[Accelerometer]\nChip=none\n").accelerometer == nil)
    #expect(try profile("[Accelerometer]\nRange=4\nChip=none\n").accelerometer == nil)
  }

  @Test func simulatedBoardsAreNamedByTheirSocket() throws {
    let profile = try profile("[Board]\nGPIO=sim:/tmp/b.sock\nI2C=sim:/tmp/c.sock\n")
    #expect(profile.board.lines == .simulated(path: "/tmp/b.sock"))
    #expect(profile.board.bus == .simulated(path: "/tmp/c.sock"))
  }

  @Test(arguments: [
    (
      "[Board]", "GPIO=gpiochip4",
      "GPIO: 'gpiochip4' is not a chip's label, write it like pinctrl-bcm2711 as gpiodetect shows it in brackets (numbers change), or sim:PATH"
    ),
    (
      "[Board]", "GPIO=sim:b/",
      "GPIO: 'sim:b/' names no simulated board, write it like sim:board.sock (in the runtime directory) or sim:/run/binnacle/board.sock"
    ),
    (
      "[Board]", "I2C=1",
      "I2C: '1' is not the device of a bus, write it like /dev/i2c-1, or sim:PATH"
    ),
    (
      "[Board]", "Compatible=pi4",
      "Compatible: 'pi4' is not a compatible string, one looks like raspberrypi,4-model-b; /proc/device-tree/compatible has those of this board"
    ),
    (
      "[Board]", "Compatible=",
      "Compatible: has no value, give strings such as raspberrypi,4-model-b or take the line out"
    ),
    (
      "[Board]", "Name=",
      "Name: is not a name of at most 80 letters, write it like Raspberry Pi 4 Model B"
    ),
    (
      "[Receiver]", "Address=42",
      "Address: '42' is not an address on the bus, write it like 0x42 as i2cdetect shows it (0x08 to 0x77)"
    ),
    (
      "[Receiver]", "Address=0x80",
      "Address: '0x80' is not an address on the bus, write it like 0x42 as i2cdetect shows it (0x08 to 0x77)"
    ),
    (
      "[Accelerometer]", "Chip=bma",
      "Chip: 'bma' is not one of auto mpu6050 lis3dh adxl345 lsm6ds lsm9ds1 mma845x kx022 icm20948 none"
    ),
    ("[Accelerometer]", "Range=3 g", "Range: '3 g' is not one of 2 4 8 16 g"),
    ("[Accelerometer]", "Rate=5", "Rate: '5' is not a whole number from 10 to 400 Hz"),
    (
      "[Accelerometer]", "Interrupt=",
      "Interrupt: '' is not the name of a line, write it like GPIO17 as gpioinfo shows it, or none"
    ),
    ("[Indicator]", "ActiveLow=true", "ActiveLow: 'true' is neither yes nor no"),
    ("[Indicator]", "Lime=GPIO1", "Lime: [Indicator] has no such key, did you mean Line?"),
    ("[Button HOME]", "Bias=up", "Bias: 'up' is not one of pull-up pull-down none as-is"),
    (
      "[Button HOME]", "Double=no",
      "Double: 'no' is not one of none home quit allow deny services mark"
    ),
    ("[Button HOME]", "Debounce=1 s", "Debounce: '1 s' is out of range, 0 s to 200 ms is right"),
    (
      "[Buttons]", "LongPress=100 ms",
      "LongPress: '100 ms' is out of range, 500 ms to 30 s is right"
    ),
  ])
  func mistakesAreReportedWithTheirLine(section: String, line: String, complaint: String) {
    #expect(complaints("\n\(section)\n\(line)\n") == ["f.conf:3: \(complaint)"])
  }

  @Test(arguments: [
    "Button", "Button home", "Button HOME TWO", "Button 2ND", "Button ABCDEFGHIJKLMNOPQ",
  ])
  func aButtonsNameIsOneWordOfCapitals(section: String) {
    #expect(
      complaints("[\(section)]\nLine=GPIO5\n") == [
        "f.conf:1: [\(section)]: a button's section is like [Button HOME]: one word of at most 16 "
          + "upper-case letters, digits and hyphens"
      ])
  }

  @Test func lightsAndButtonsNeedALine() {
    #expect(
      complaints(board + "[Indicator]\n[StatusLED]\nActiveLow=yes\n[Button HOME]\n") == [
        "f.conf:4: [Indicator]: has no Line, give one such as Line=GPIO23",
        "f.conf:5: [StatusLED]: has no Line, give one such as Line=GPIO23",
        "f.conf:7: [Button HOME]: has no Line, give one such as Line=GPIO23",
      ])
  }

  @Test func linesNeedAChipAndBusesTheirDevice() {
    #expect(
      complaints("[Receiver]\nDevice=i2c\n[Accelerometer]\n[Button HOME]\nLine=GPIO5\n") == [
        "f.conf:5: Line: needs a chip, give its label as GPIO= in [Board], such as "
          + "GPIO=pinctrl-bcm2711",
        "f.conf:2: Device: needs a bus, give its device as I2C= in [Board], such as I2C=/dev/i2c-1",
        "f.conf:3: [Accelerometer]: needs a bus, give its device as I2C= in [Board], such as "
          + "I2C=/dev/i2c-1",
      ])
  }

  @Test func twoPartsDoNotShareALine() {
    #expect(
      complaints(board + "[Indicator]\nLine=GPIO5\nSense=GPIO6\n[Button HOME]\nLine=GPIO5\n") == [
        "f.conf:8: Line: GPIO5 is Line of [Indicator] already, take another line"
      ])
    #expect(
      complaints(
        board + "[Accelerometer]\nInterrupt=GPIO5\n", "[Receiver]\nDevice=i2c\nTxReady=GPIO5\n")
        == ["1.conf:3: TxReady: GPIO5 is Interrupt of [Accelerometer] already, take another line"])
  }

  @Test func keysOfABusAreNotForASerialLine() {
    #expect(
      complaints(board + "[Receiver]\nDevice=/dev/ttyS0\nTxReady=GPIO4\nAddress=0x42\n") == [
        "f.conf:6: TxReady: has a meaning only with Device=i2c, take the line out or change Device",
        "f.conf:7: Address: has a meaning only with Device=i2c, take the line out or change Device",
      ])
    #expect(
      complaints(board + "[Receiver]\nDevice=i2c\nSpeed=9600\n") == [
        "f.conf:6: Speed: a receiver on the I2C bus has no speed, take the line out"
      ])
  }

  @Test func aShortPressIsShorterThanALongOne() {
    #expect(
      complaints("[Buttons]\nShortMax=2 s\n") == [
        "f.conf:2: ShortMax: ShortMax (2 s) is not below LongPress (2 s), lower the one or raise "
          + "the other"
      ])
  }
}
