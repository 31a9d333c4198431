import Accelerometers
import BinnacleModel
import BinnaclePosix
import Board
import Glibc
import TestSupport
import Testing

@testable import Daemon

/// The plan that follows from profile, drop-ins and device tree.
final class StartPlanTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["etc", "etc/boards", "tree"] {
      try Files.makeDirectory(folder.path + "/" + name, mode: 0o755)
    }
  }

  private func write(_ text: String, to name: String) throws {
    let path = folder.path + "/" + name
    try Files.makeDirectory(Files.parent(of: path), mode: 0o755)
    try Files.writeAtomically(Array(text.utf8), to: path)
  }

  /// The output of `--check`, or the reason of its failure.
  private func check(_ words: String...) throws -> String {
    let arguments = try DaemonArguments(["--check", "--config", folder.path + "/etc"] + words)
    do throws(StartFailure) {
      return try StartPlan(arguments, deviceTree: folder.path + "/tree").summary
    } catch {
      return "\(error.kind): \(error.text)"
    }
  }

  @Test func everyPartOfAProfileIsShown() throws {
    try write(
      """
      [Board]
      Name=My board
      GPIO=pinctrl-rp1
      I2C=/dev/i2c-1
      [Receiver]
      Device=/dev/ttyAMA0
      [Accelerometer]
      Chip=adxl345
      Address=0x1e
      Interrupt=GPIO17
      [Indicator]
      Line=GPIO23
      Sense=GPIO25
      [StatusLED]
      Line=GPIO24
      ActiveLow=yes
      [Button HOME]
      Line=GPIO5
      """, to: "etc/boards/mine.conf")
    let path = folder.path + "/etc/boards/mine.conf"
    #expect(
      try check("--board", "mine") == """
        board: My board, \(path)
        lines: pinctrl-rp1
        i2c: /dev/i2c-1
        receiver: /dev/ttyAMA0
        accelerometer: adxl345 at 0x1e, 2 g, 50 Hz, interrupt on GPIO17
        indicator: GPIO23, lit when high, sensed on GPIO25
        status light: GPIO24, lit when low
        button HOME: GPIO5, pressed when low, pull-up, short: home, long: quit, double: none
        restricted: no app
        prompts: flashes for 60 s
        background: an app counts as in use for 10 s after it has left the foreground
        all is well
        """)
  }

  @Test func anIndicatorInTheKernelsClassOfLEDsIsShown() throws {
    try write(
      "[Board]\nGPIO=pinctrl-rp1\n[Receiver]\nDevice=/dev/a\n[Indicator]\nClass=ACT\nSense=GPIO25\n",
      to: "etc/boards/mine.conf")
    #expect(
      try check("--board", "mine").contains(
        "indicator: LED ACT of the kernel, sensed on GPIO25\n"))
    let arguments = try DaemonArguments(
      ["--check", "--config", folder.path + "/etc", "--board", "mine"])
    let settings = try StartPlan(arguments, deviceTree: folder.path + "/tree").settings
    #expect(settings.engine.panel.isIndicatorLasting && settings.engine.panel.hasIndicatorSense)
    #expect(settings.lines.map(\.request.inWords) == ["LED ACT", "GPIO25 on pinctrl-rp1"])
  }

  @Test func theGrantsOfADoorAreShownAndTheEngineGetsTheirUsers() throws {
    let door = "[Receiver]\nDevice=/dev/a\n[Door NMEA]\nSocket=nmea.sock\n"
    try write(door, to: "etc/boards/mine.conf")
    #expect(
      try check("--board", "mine").contains(
        """
        door NMEA: socket nmea.sock, mode 0660, group binnacle
        door NMEA grants: no reader; 'binnacle allow' names one; but no reader gets positions, because the board has no \
        indicator

        """))
    try write(
      "[Board]\nGPIO=pinctrl-rp1\n[Indicator]\nLine=GPIO23\n" + door
        + "Grant=tty:reduced root 1001 no-such-user\n", to: "etc/boards/mine.conf")
    #expect(
      try check("--board", "mine").contains(
        "door NMEA grants: tty with reduced accuracy, root (user 0), 1001, no-such-user (there is no such user)\n"
      ))
    let arguments = try DaemonArguments(
      ["--check", "--config", folder.path + "/etc", "--board", "mine"])
    let settings = try StartPlan(arguments, deviceTree: folder.path + "/tree").settings
    #expect(
      settings.engine.doors == [
        DoorSettings(
          name: "nmea",
          grants: [.init(.terminal, isReduced: true), .init(.user(0)), .init(.user(1_001))])
      ])
  }

  @Test func theSettingsOfLocationAreShown() throws {
    let location = "[Location]\nPromptTimeout=1500 ms\nBackgroundGrace=30 s\nRestricted="
    for (value, text) in [("all", "all apps"), ("org.a 7:/b", "org.a, 7:/b"), ("no", "no app")] {
      try write(
        "[Receiver]\nDevice=/dev/a\n" + location + value + "\n", to: "etc/boards/mine.conf")
      #expect(
        try check("--board", "mine").contains(
          """
          restricted: \(text)
          prompts: flashes for 1500 ms
          background: an app counts as in use for 30 s after it has left the foreground

          """))
    }
  }

  @Test func aProfileWithoutAReceiverIsShownAndStartsNothing() throws {
    try write("[Board]\nName=Desk\nI2C=/dev/i2c-1\n", to: "etc/boards/mine.conf")
    #expect(
      try check("--board", "mine") == """
        board: Desk, \(folder.path)/etc/boards/mine.conf
        i2c: /dev/i2c-1
        receiver: none; the daemon starts with --receiver DEVICE
        restricted: no app
        prompts: flashes for 60 s
        background: an app counts as in use for 10 s after it has left the foreground
        all is well
        """)
    #expect(try check().hasPrefix("usage: no receiver: --receiver DEVICE says where it is"))
    let arguments = try DaemonArguments(["--config", folder.path + "/etc", "--board", "mine"])
    #expect {
      _ = try StartPlan(arguments, deviceTree: folder.path + "/tree")
    } throws: {
      ($0 as? StartFailure)?.kind == .usage
    }
  }

  @Test func aReceiverOnTheBusHasItsAddressAndItsLine() throws {
    try write(
      "[Board]\nGPIO=pinctrl-rp1\nI2C=/dev/i2c-1\n[Receiver]\nDevice=i2c\nTxReady=GPIO22\n",
      to: "etc/boards/mine.conf")
    #expect(try check("--board", "mine").contains("receiver: i2c, address 0x42"))
    let arguments = try DaemonArguments(
      ["--check", "--config", folder.path + "/etc", "--board", "mine"])
    let settings = try StartPlan(arguments, deviceTree: folder.path + "/tree").settings
    #expect(settings.busPath == "/dev/i2c-1")
    #expect(settings.receiverAddress == 0x42)
    #expect(settings.receiverReadyLine?.inWords == "GPIO22 on pinctrl-rp1")
    #expect(!settings.engine.power.hasWakeLine)
    #expect(
      try check("--board", "mine").contains(
        "receiver's sleep: none; on I2C it needs a line to its pin EXTINT, ExtInt="))
    try write("[Receiver]\nExtInt=GPIO27\n", to: "etc/boards/mine.conf.d/wake.conf")
    #expect(
      try check("--board", "mine").contains("receiver's sleep: ended by GPIO27 at its pin EXTINT\n")
    )
    let wired = try StartPlan(arguments, deviceTree: folder.path + "/tree").settings
    #expect(wired.engine.power.hasWakeLine)
    #expect(wired.lines.first?.id == .receiverWake)
    #expect(wired.lines.first?.request.claim.isActiveLow == true)
  }

  @Test func dropInsAreTakenInTheOrderOfTheirNames() throws {
    try write("[Receiver]\nDevice=/dev/a\nRate=1\n", to: "etc/boards/mine.conf")
    try write("[Receiver]\nDevice=/dev/b\n", to: "etc/boards/mine.conf.d/20-b.conf")
    try write("[Receiver]\nDevice=/dev/c\n", to: "etc/boards/mine.conf.d/10-c.conf")
    try write("[Nonsense]\n", to: "etc/boards/mine.conf.d/30-no.conf~")
    let text = try check("--board", "mine")
    #expect(text.contains("receiver: /dev/b\n"))
    #expect(text.contains("mine.conf.d/10-c.conf\ndrop-in: "))
  }

  @Test func aMistakeInADropInNamesItsFile() throws {
    try write("[Receiver]\nDevice=/dev/a\n", to: "etc/boards/mine.conf")
    try write("\n[Receiver]\nRat=1\n", to: "etc/boards/mine.conf.d/a.conf")
    #expect(
      try check("--board", "mine")
        == "configurationWrong: \(folder.path)/etc/boards/mine.conf.d/a.conf:3: Rat: [Receiver] has "
        + "no such key, did you mean Rate?")
  }

  @Test func anythingElseInThePlaceOfDropInsIsReported() throws {
    let profile = folder.path + "/etc/boards/mine.conf"
    try write("[Receiver]\nDevice=/dev/a\n", to: "etc/boards/mine.conf")
    #expect(mkfifo(profile + ".d", 0o600) == 0)
    #expect(
      try check("--board", "mine")
        == "configurationWrong: \(profile).d: it is a pipe, not a directory of drop-ins")
    try Files.remove(profile + ".d")
    try write("[Receiver]\nDevice=/dev/b\n", to: "etc/boards/mine.conf.d")
    #expect(
      try check("--board", "mine")
        == "configurationWrong: \(profile).d: it is a regular file, not a directory of drop-ins")
    try Files.remove(profile + ".d")
    try Files.makeDirectory(profile + ".d", mode: 0o755)
    #expect(mkfifo(profile + ".d/a.conf", 0o600) == 0)
    #expect(
      try check("--board", "mine")
        == "configurationWrong: \(profile).d/a.conf: it is a pipe, not a regular file")
  }

  @Test func theAdministratorAddsToAShippedProfile() throws {
    try write("[Receiver]\nDevice=/dev/b\n", to: "etc/boards/generic-usb.conf.d/a.conf")
    let text = try check("--board", "generic-usb")
    #expect(text.contains("receiver: /dev/b\n"))
    #expect(text.contains("/boards/generic-usb.conf\ndrop-in: \(folder.path)/etc"))
  }

  @Test(arguments: [
    ("raspberrypi,model-zero-2-w\0brcm,bcm2837\0", "raspberry-pi-zero-2-w"),
    ("raspberrypi,3-model-b\0brcm,bcm2837\0", "raspberry-pi-3"),
    ("raspberrypi,3-model-b-plus\0brcm,bcm2837\0", "raspberry-pi-3"),
    ("raspberrypi,4-model-b\0brcm,bcm2711\0", "raspberry-pi-4"),
    ("raspberrypi,400\0brcm,bcm2711\0", "raspberry-pi-4"),
    ("raspberrypi,4-compute-module\0brcm,bcm2711\0", "raspberry-pi-4"),
    ("raspberrypi,5-model-b\0brcm,bcm2712\0", "raspberry-pi-5"),
    ("raspberrypi,500\0brcm,bcm2712\0", "raspberry-pi-5"),
    ("raspberrypi,5-compute-module\0brcm,bcm2712\0", "raspberry-pi-5"),
    ("xunlong,orangepi-zero3\0allwinner,sun50i-h618\0", "orange-pi-zero-3"),
    ("radxa,zero-3w\0rockchip,rk3566\0", "radxa-zero-3"),
    ("radxa,zero-3e\0rockchip,rk3566\0", "radxa-zero-3"),
  ])
  func autoGoesByTheDeviceTree(compatible: String, name: String) throws {
    try write(compatible, to: "tree/compatible")
    let text = try check("--board", "auto")
    #expect(text.contains("/boards/\(name).conf\n"), "\(text)")
    #expect(text.hasSuffix("\nall is well"))
  }

  @Test func autoStatesWhenNoProfileFits() throws {
    try write("acme,anvil\0acme,iron\0", to: "tree/compatible")
    let text = try check("--board", "auto")
    #expect(
      text.hasPrefix(
        "configurationWrong: no profile fits this board (acme,anvil acme,iron); --board"))
    #expect(text.contains(" raspberry-pi-4 "))
  }

  @Test func autoStatesWhenSeveralProfilesFit() throws {
    try write("raspberrypi,4-model-b\0", to: "tree/compatible")
    try write("[Board]\nCompatible=raspberrypi,4-model-b\n", to: "etc/boards/mine.conf")
    let text = try check("--board", "auto")
    #expect(
      text.hasPrefix(
        "configurationWrong: several profiles fit this board (raspberrypi,4-model-b): "))
    #expect(text.contains("\(folder.path)/etc/boards/mine.conf, "))
    #expect(text.hasSuffix("raspberry-pi-4.conf; choose by --board FILE"))
  }

  @Test func aProfileOfTheAdministratorHidesOneOfTheSameName() throws {
    try write("raspberrypi,4-model-b\0", to: "tree/compatible")
    try write(
      "[Board]\nCompatible=raspberrypi,4-model-b\n[Receiver]\nDevice=/dev/mine\n",
      to: "etc/boards/raspberry-pi-4.conf")
    #expect(try check("--board", "auto").contains("receiver: /dev/mine\n"))
  }

  @Test func aDamagedProfileIsReportedWhenNoOtherFits() throws {
    try write("[Broken\n", to: "etc/boards/mine.conf")
    try write("acme,anvil\0", to: "tree/compatible")
    #expect(try check("--board", "auto").contains("/etc/boards/mine.conf:1: '[Broken'"))
    try write("raspberrypi,4-model-b\0", to: "tree/compatible")
    #expect(try check("--board", "auto").hasSuffix("\nall is well"))
  }

  @Test func autoStatesWhenThereIsNoDeviceTree() throws {
    let text = try check("--board", "auto")
    #expect(
      text.hasPrefix("configurationWrong: this machine has no device tree (\(folder.path)/tree/"))
  }

  @Test func appsAreShownAndTheirMistakesAreReported() throws {
    try Files.makeDirectory(folder.path + "/etc/apps.d", mode: 0o755)
    let app = "[App]\nIdentifier=org.example.a\nExecutable=/usr/bin/a\nUser=anna\n"
    try write(app, to: "etc/apps.d/a.app")
    try write("[App]\nUser=bert\n", to: "etc/apps.d/a.app.d/mine.conf")
    try write("not a manifest", to: "etc/apps.d/README")
    #expect(
      try check("--receiver", "/dev/null") == """
        receiver: /dev/null, by --receiver
        restricted: no app
        prompts: flashes for 60 s
        background: an app counts as in use for 10 s after it has left the foreground
        app: org.example.a, /usr/bin/a of user bert
        all is well
        """)
    try write(app + "Usr=x\n", to: "etc/apps.d/b.app")
    let path = folder.path + "/etc/apps.d/b.app"
    #expect(
      try check("--receiver", "/dev/null")
        == "configurationWrong: \(path):5: Usr: [App] has no such key, did you mean User?")
  }

  @Test func aWrongManifestDoesNotStopOtherApps() throws {
    try Files.makeDirectory(folder.path + "/etc/apps.d", mode: 0o755)
    let app = "[App]\nIdentifier=org.example.a\nExecutable=/usr/bin/a\nUser=anna\n"
    try write(app, to: "etc/apps.d/a.app")
    try write("x", to: "etc/apps.d/b.app")
    try Files.makeDirectory(folder.path + "/etc/apps.d/c.app", mode: 0o755)
    let arguments = try DaemonArguments([
      "--receiver", "/dev/null", "--config", folder.path + "/etc",
    ])
    let settings = try StartPlan(arguments).settings
    let apps = settings.apps
    #expect(settings.engine.hasUnreadManifests)
    #expect(apps.apps.map { $0.identifier } == ["org.example.a"])
    #expect(apps.complaints.count == 2)
  }

  /// The installed service always has `--state`.
  @Test func theStateDirectoryOfTheProfileOverridesTheCommandLine() throws {
    func place(_ state: String) throws -> (directory: String, partition: String?) {
      try write("[Board]\nName=x\n\(state)\n", to: "etc/boards/mine.conf")
      let arguments = try DaemonArguments([
        "--board", "mine", "--receiver", "/dev/null", "--config", folder.path + "/etc",
        "--state", "/var/lib/binnacle",
      ])
      let settings = try StartPlan(arguments).settings
      return (settings.stateDirectory, settings.statePartition)
    }
    #expect(try place("State=/data/kept") == ("/data/kept", nil))
    #expect(try place("") == ("/var/lib/binnacle", nil))
    #expect(try place("State=/dev/mmcblk0p3") == ("/var/lib/binnacle", "/dev/mmcblk0p3"))
    try write("[Board]\nName=x\nState=/data/kept\n", to: "etc/boards/mine.conf")
    #expect(
      try check("--board", "mine", "--receiver", "/dev/null").contains("state: /data/kept\n"))
  }
}

/// Drivers of accelerometers in profiles.
struct ChipNameTests {
  @Test func everyDriverIsAChipOfProfilesAndEveryChipADriver() {
    let chips = Profile.Accelerometer.Chip.allCases.map(\.rawValue).filter { $0 != "auto" }
    #expect(chips.sorted() == ChipFamily.allCases.map(\.rawValue).sorted())
  }
}
