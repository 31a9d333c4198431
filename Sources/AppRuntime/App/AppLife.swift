internal import CoreLocation
internal import Foundation

/// The life of the app's process, from the launch to the end.
@MainActor
final class AppLife {
  private let application = UIApplication.shared
  private let rendering: Rendering
  private var sources: [any DispatchSourceSignal] = []

  /// How long the end of the process waits until the values of ``DeviceDefaults`` are stored, in seconds.
  private static let flushTimeMax = 4.0

  init<Application: App>(of app: Application) {
    rendering = Rendering(print: { print($0) }) { [application] place in
      place.environment.scenePhase = application.scenePhase
      if let delegate = application.delegate as? any ObservableObject {
        place.environment.insert(delegate)
        place.observe(delegate, delegate.objectWillChange)
      }
      return place.draw(app: app)
    }
  }

  /// Launches the app and serves the main loop.
  func run() -> Never {
    StandardOutput.appearsByLine()
    // The reader of the output may end before the app.
    signal(SIGPIPE, SIG_IGN)
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated { self.end() } }
      source.resume()
      return source
    }
    rendering.firstButtonShown = { [weak self] in self?.watchButtons() }
    application.phaseChanged = { [rendering] in rendering.renderSoon() }
    application.launch()
    rendering.render()
    while true { RunLoop.main.run() }
  }

  /// Presses the shown buttons by the board's buttons, and by lines on a terminal.
  private func watchButtons() {
    Task { [rendering] in
      for await event in ButtonEvents() where event.gesture == .short {
        rendering.press(event.button)
      }
    }
    guard isatty(STDIN_FILENO) == 1 else { return }
    // A process in the background of its terminal gets an error in place of lines, and is not stopped.
    signal(SIGTTIN, SIG_IGN)
    Thread { [rendering] in
      while let line = readLine() {
        DispatchQueue.main.async { MainActor.assumeIsolated { rendering.press(line) } }
      }
    }.start()
  }

  private func end() {
    // A second signal changes nothing.
    for source in sources { source.cancel() }
    application.terminate()
    Task {
      try? await DeviceDefaults.standard.flush(within: AppLife.flushTimeMax)
      exit(0)
    }
  }
}
