import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Board
import Devices
import LocationEngine
import VirtualWire

/// The profile's buttons, lights and wake-up line, as settings of the engine and as requests for lines.
struct PanelPlan {
  /// A line of the engine and its request.
  struct Wanted: Equatable, Sendable {
    var id: LineID
    /// The name in the report without its last part.
    var reportName: String
    var request: LineRequest
  }

  private(set) var settings = PanelSettings()
  private(set) var lines: [Wanted] = []
  private let source: Profile.LineSource?

  /// - Parameters:
  ///   - profile: the board's.
  ///   - runtimeDirectory: the directory of a virtual board's socket.
  /// - Throws: the reason why the profile cannot be served.
  init(_ profile: Profile, runtimeDirectory: String) throws(StartFailure) {
    source = profile.board.lines.map {
      PanelPlan.resolved($0, runtimeDirectory: runtimeDirectory)
    }
    guard profile.buttons.count <= LineID.buttonsMax else {
      throw StartFailure(
        .configurationWrong,
        "[Button]: there are \(profile.buttons.count), at most \(LineID.buttonsMax) are served")
    }
    if let line = profile.receiver.extInt {
      // A low level on the pin wakes the receiver, and the receiver can sleep again while the level stays low
      // (`WakeLine`).
      add(
        .receiverWake, "power.wake_line", line, consumer: "receiver EXTINT",
        use: .output(isActive: false), isActiveLow: true)
    }
    addLights(of: profile)
    for (index, button) in profile.buttons.enumerated() {
      let presence = profile.console.presence.flatMap {
        $0.button == button.name ? $0.gesture : nil
      }
      add(button, UInt8(index), presence: presence)
    }
    settings.gestures.longPress = profile.buttonTiming.longPress
    settings.gestures.shortMax = profile.buttonTiming.shortMax
    settings.gestures.doubleWindow = profile.buttonTiming.doubleWindow
  }

  private mutating func addLights(of profile: Profile) {
    if let indicator = profile.indicator {
      settings.hasIndicator = true
      if let name = indicator.ledName {
        settings.isIndicatorLasting = true
        lines.append(
          Wanted(
            id: .indicator, reportName: "indicator",
            request: LineRequest(led: name, consumer: "binnacle indicator")))
      } else {
        add(
          .indicator, "indicator", indicator.line, consumer: "indicator",
          use: .output(isActive: false), isActiveLow: indicator.isActiveLow)
      }
      if let sense = indicator.sense {
        settings.hasIndicatorSense = true
        settings.senseSettling = indicator.settling
        add(
          .indicatorSense, "indicator.sense", sense, consumer: "indicator's sense", use: .edges,
          isActiveLow: indicator.isActiveLow)
      }
    }
    if let light = profile.statusLED {
      settings.hasStatusLight = true
      settings.blinking.slowHalf = light.slowBlink
      settings.blinking.fastHalf = light.fastBlink
      add(
        .statusLight, "status_light", light.line, consumer: "status light",
        use: .output(isActive: false), isActiveLow: light.isActiveLow)
    }
  }

  private mutating func add(_ button: Profile.Button, _ index: UInt8, presence: Gesture?) {
    var settings = PanelSettings.Button(name: button.name)
    settings.debounce = button.debounce
    settings.actions = button.actions
    settings.presence = presence
    self.settings.buttons.append(settings)
    add(
      .button(index), "buttons.\(button.name)", button.line, consumer: "button \(button.name)",
      use: .edges, isActiveLow: button.isActiveLow, bias: LineClaim.Bias(button.bias),
      debounce: button.debounce)
  }

  private mutating func add(
    _ id: LineID, _ reportName: String, _ line: String, consumer: String, use: LineClaim.Use,
    isActiveLow: Bool, bias: LineClaim.Bias = .asIs, debounce: Interval = .zero
  ) {
    // The profile's parser has checked that a profile with lines names its chip.
    guard let source else { return }
    // The kernel keeps 31 characters of a consumer's name (GPIO_MAX_NAME_SIZE in linux/gpio.h).
    var claim = LineClaim(line: line, consumer: "binnacle \(consumer)", use: use)
    claim.isActiveLow = isActiveLow
    claim.bias = bias
    claim.debounceMicroseconds = UInt32(clamping: debounce.nanoseconds / 1_000)
    lines.append(
      Wanted(id: id, reportName: reportName, request: LineRequest(source: source, claim: claim)))
  }

  /// The ready line of a receiver on the bus; nil if the profile has none.
  static func readyLine(of profile: Profile, runtimeDirectory: String) -> LineRequest? {
    guard let name = profile.receiver.txReady, let source = profile.board.lines else { return nil }
    return LineRequest(
      source: resolved(source, runtimeDirectory: runtimeDirectory),
      claim: LineClaim(line: name, consumer: "binnacle receiver ready", use: .edges))
  }

  static func resolved(
    _ source: Profile.LineSource, runtimeDirectory: String
  ) -> Profile.LineSource {
    switch source {
    case .chip: source
    case .simulated(let path):
      .simulated(path: path.hasPrefix("/") ? path : runtimeDirectory + "/" + path)
    }
  }
}
