/// The differences between Raspberry Pi models that matter for a receiver and an accelerometer.
///
/// From the Raspberry Pi documentation, "Configuring UARTs" and "Conditional filters", and the kernel's
/// `overlays/README` (parameters `i2c_arm`, `uart0`, `uart0_console`).
struct RaspberryPi: Equatable, Sendable {
  /// The UARTs for the header.
  enum Serial: Equatable, Sendable {
    /// Zero, 1, 2, Compute Module 3: the header has the PL011.
    case plain
    /// Zero W, Zero 2 W, 3, 4: Bluetooth has the PL011, the header has the mini UART.
    case sharedWithBluetooth
    /// 5: the header has a PL011 that is off, and the console has its own connector.
    case debugConnector
  }

  let serial: Serial
  /// The model filters of config.txt that apply to this model.
  let filters: [String]

  /// A required line of config.txt.
  struct Requirement: Equatable, Sendable {
    /// The line to add.
    let line: String
    /// Settings with the same effect.
    let others: [String]
  }

  /// The model from the device tree's `compatible`; nil for other boards.
  init?(compatible: [String]) {
    for model in RaspberryPi.models where compatible.contains("raspberrypi," + model.name) {
      serial = model.serial
      filters = model.filters
      return
    }
    return nil
  }

  /// The settings that connect a PL011 to the header.
  var headerUART: [Requirement] {
    switch serial {
    case .plain: [RaspberryPi.enableUART]
    case .sharedWithBluetooth: [RaspberryPi.enableUART, RaspberryPi.freePL011]
    case .debugConnector:
      [
        Requirement(
          line: "dtparam=uart0=on",
          others: ["dtparam=uart0_console=on", "dtoverlay=uart0-pi5", "dtoverlay=uart0"])
      ]
    }
  }

  /// The settings that connect I2C to pins 3 and 5 of the header.
  var headerBus: [Requirement] {
    [
      Requirement(
        line: "dtparam=i2c_arm=on",
        others: ["dtparam=i2c=on", "dtparam=i2c1=on", "dtoverlay=i2c1", "dtoverlay=i2c1-pi5"])
    ]
  }

  /// The devices of the header's UART under Raspberry Pi OS with the correct settings.
  static let headerDevices = ["/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"]

  private static let enableUART = Requirement(line: "enable_uart=1", others: [])
  private static let freePL011 = Requirement(
    line: "dtoverlay=disable-bt",
    others: [
      "dtoverlay=miniuart-bt", "dtoverlay=pi3-disable-bt", "dtoverlay=pi3-miniuart-bt",
    ])

  private static let models: [(name: String, serial: Serial, filters: [String])] = [
    ("model-zero-2-w", .sharedWithBluetooth, ["pi0", "pi0w", "pi02"]),
    ("model-zero-w", .sharedWithBluetooth, ["pi0", "pi0w"]),
    ("model-zero", .plain, ["pi0"]),
    ("3-model-b-plus", .sharedWithBluetooth, ["pi3", "pi3+"]),
    ("3-model-a-plus", .sharedWithBluetooth, ["pi3", "pi3+"]),
    ("3-model-b", .sharedWithBluetooth, ["pi3"]),
    ("3-compute-module", .plain, ["pi3"]),
    ("4-model-b", .sharedWithBluetooth, ["pi4"]),
    ("400", .sharedWithBluetooth, ["pi4", "pi400"]),
    ("4-compute-module-s", .plain, ["pi4", "cm4s"]),
    ("4-compute-module", .sharedWithBluetooth, ["pi4", "cm4"]),
    ("5-model-b", .debugConnector, ["pi5"]),
    ("500", .debugConnector, ["pi5", "pi500"]),
    ("5-compute-module", .debugConnector, ["pi5", "cm5"]),
    ("2-model-b-rev2", .plain, ["pi2"]),
    ("2-model-b", .plain, ["pi2"]),
    ("model-b-plus", .plain, ["pi1"]),
    ("model-a-plus", .plain, ["pi1"]),
    ("model-b", .plain, ["pi1"]),
  ]
}
