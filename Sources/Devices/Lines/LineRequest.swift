public import BinnacleBasics
import BinnacleModel
public import Board
public import VirtualWire

/// A request for a line: its location and its use.
public struct LineRequest: Equatable, Sendable {
  /// The chip, or the socket of a virtual board.
  public var source: Profile.LineSource
  public var claim: LineClaim

  public init(source: Profile.LineSource, claim: LineClaim) {
    self.source = source
    self.claim = claim
  }

  /// The line and its chip, for people: `GPIO17 on pinctrl-bcm2711`.
  public var inWords: String {
    switch source {
    case .chip(let label): "\(claim.line) on \(label)"
    case .simulated(let path): "\(claim.line) on sim:\(path)"
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
      }
    } catch {
      facts.append(.lost(error))
      return nil
    }
  }
}
