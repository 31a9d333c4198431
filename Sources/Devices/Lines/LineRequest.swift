public import BinnacleBasics
import BinnacleModel
public import Board
public import VirtualWire

/// A request for a line: its location and its use.
public struct LineRequest: Equatable, Sendable {
  /// The directory of the kernel's LEDs.
  public static let ledDirectory = "/sys/class/leds"

  public var source: Source
  public var claim: LineClaim

  /// The location of a line.
  public enum Source: Equatable, Sendable {
    /// A chip of the kernel, by its label.
    case chip(label: String)
    /// The socket of a virtual board.
    case simulated(path: String)
    /// The directory of the kernel's LEDs; the name of the line is the name of an LED.
    case leds(directory: String)
  }

  public init(source: Profile.LineSource, claim: LineClaim) {
    switch source {
    case .chip(let label): self.source = .chip(label: label)
    case .simulated(let path): self.source = .simulated(path: path)
    }
    self.claim = claim
  }

  /// A request for an LED of the kernel.
  ///
  /// - Parameters:
  ///   - name: the name of the LED.
  ///   - consumer: the name of the LED's holder.
  ///   - directory: the directory of the LEDs.
  public init(led name: String, consumer: String, directory: String = LineRequest.ledDirectory) {
    source = .leds(directory: directory)
    claim = LineClaim(line: name, consumer: consumer, use: .output(isActive: false))
  }

  /// The line and its chip, for people: `GPIO17 on pinctrl-bcm2711`.
  public var inWords: String {
    switch source {
    case .chip(let label): "\(claim.line) on \(label)"
    case .simulated(let path): "\(claim.line) on sim:\(path)"
    case .leds: "LED \(claim.line)"
    }
  }

  /// Claims the line.
  ///
  /// - Parameters:
  ///   - now: the time of the call.
  ///   - facts: gets immediate facts: `opened`, `lost`, or none yet.
  /// - Returns: the line, if it is claimed or the claim is pending.
  public func open(at now: Instant, into facts: inout [LineFact]) -> (any Line)? {
    do throws(LineFault) {
      switch source {
      case .chip(let label):
        let line = try KernelLine(self, label: label)
        facts.append(try line.opened())
        return line
      case .simulated(let path): return try SimulatedLine(self, path: path, at: now)
      case .leds(let directory):
        let led = try LEDLine(self, directory: directory)
        facts.append(try led.opened())
        return led
      }
    } catch {
      facts.append(.lost(error))
      return nil
    }
  }
}
