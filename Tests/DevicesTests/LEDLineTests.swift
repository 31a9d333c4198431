import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

@testable import Devices

/// An LED of the kernel, with a folder in place of `/sys/class/leds`.
@Suite struct LEDLineTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try Files.makeDirectory(folder("green:status"), mode: 0o755)
    try write("0\n", to: "brightness")
    try write("31\n", to: "max_brightness")
    try write("none timer [heartbeat] default-on\n", to: "trigger")
  }

  private func write(_ text: String, to name: String) throws {
    try Files.writeAtomically(Array(text.utf8), to: folder("green:status/\(name)"))
  }

  private func text(of name: String) throws -> String {
    String(decoding: try Files.read(folder("green:status/\(name)")), as: UTF8.self)
  }

  private func open(_ name: String = "green:status") -> (line: (any Line)?, facts: [LineFact]) {
    var facts: [LineFact] = []
    let request = LineRequest(led: name, consumer: "binnacle indicator", directory: folder.path)
    let line = request.open(at: .zero, into: &facts)
    return (line, facts)
  }

  private static func kind(_ facts: [LineFact]) -> String? {
    guard facts.count == 1, case .lost(let fault) = facts[0] else { return nil }
    return "\(fault.kind)"
  }

  @Test func theLampIsLitWithItsGreatestBrightnessAndWithoutATrigger() throws {
    let (line, facts) = open()
    #expect(facts == [.opened(isActive: false, isDebounced: false)])
    #expect(try text(of: "trigger").contains("[heartbeat]"))
    let led = try #require(line)
    #expect(led.set(true, at: .zero) == [.level(isActive: true)])
    #expect(try text(of: "brightness") == "31\n")
    #expect(try text(of: "trigger") == "none\n")
    #expect(led.set(false, at: .zero) == [.level(isActive: false)])
    #expect(try text(of: "brightness") == "0\n")
  }

  @Test func aLitLampStaysLitWhenItIsReleasedAndWhenItIsOpenedAgain() throws {
    do {
      let led = try #require(open().line)
      #expect(led.set(true, at: .zero) == [.level(isActive: true)])
    }
    #expect(try text(of: "brightness") == "31\n")
    let (line, facts) = open()
    #expect(facts == [.opened(isActive: true, isDebounced: false)])
    #expect(try text(of: "brightness") == "31\n")
    withExtendedLifetime(line) {}
  }

  @Test func aTriggerThatIsNoneAlreadyIsNotWritten() throws {
    let triggers = "[none] timer heartbeat\n"
    try write(triggers, to: "trigger")
    let led = try #require(open().line)
    #expect(led.set(true, at: .zero) == [.level(isActive: true)])
    #expect(try text(of: "trigger") == triggers)
  }

  @Test func aKernelWithoutTriggersHasNoSuchFile() throws {
    try Files.remove(folder("green:status/trigger"))
    let led = try #require(open().line)
    #expect(led.set(true, at: .zero) == [.level(isActive: true)])
  }

  @Test func anLEDThatOthersChangeReadsBackDark() throws {
    let led = try #require(open().line)
    #expect(led.set(true, at: .zero) == [.level(isActive: true)])
    try write("0\n", to: "brightness")
    #expect(led.read(at: .zero) == [.level(isActive: false)])
  }

  @Test func anLEDThatDoesNotExistIsReported() {
    let (line, facts) = open("red")
    #expect(line == nil)
    #expect(Self.kind(facts) == "lineMissing")
  }

  @Test func anLEDThatGoesAwayIsLost() throws {
    let led = try #require(open().line)
    for name in ["brightness", "max_brightness", "trigger"] {
      try Files.remove(folder("green:status/\(name)"))
    }
    #expect(Self.kind(led.read(at: .zero)) == "gone")
    #expect(Self.kind(led.set(true, at: .zero)) == "gone")
  }

  @Test func aPollOfAnLEDIsNeverReady() throws {
    let led = try #require(open().line)
    var poll = Poll()
    poll.set(led.descriptor, [])
    try poll.wait(until: Clock.now + .milliseconds(1))
    #expect(poll.readiness(of: led.descriptor).isEmpty)
    #expect(led.ready([], at: .zero).isEmpty)
  }
}
