import BinnacleBasics

/// Decisions that a run leaves open: drawn at random, or enumerated until each combination has run once.
public struct Choices {
  private enum Source {
    case chance(Random)
    /// The current combination, with choice and option count of each decision, and the decisions made in this run.
    case walk(path: [(chosen: Int, count: Int)], depth: Int)
  }

  private var source: Source

  /// Draws every choice at random.
  public init(seed: UInt64) {
    source = .chance(Random(seed: seed))
  }

  private init(path: [(chosen: Int, count: Int)]) {
    source = .walk(path: path, depth: 0)
  }

  /// Chooses one of so many options: 0 up to, not including, `count`.
  public mutating func pick(_ count: Int) -> Int {
    precondition(count > 0, "there is nothing to choose from")
    switch source {
    case .chance(var random):
      let chosen = Int.random(in: 0..<count, using: &random)
      source = .chance(random)
      return chosen
    case .walk(var path, let depth):
      if depth == path.count { path.append((0, count)) }
      precondition(path[depth].count == count, "equal choices led to different questions")
      source = .walk(path: path, depth: depth + 1)
      return path[depth].chosen
    }
  }

  /// Bytes without a meaning; an enumeration always gets the same bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    guard case .chance(var random) = source else {
      return (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 89) }
    }
    let drawn = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    source = .chance(random)
    return drawn
  }

  /// Calls `run` once for every combination of the choices that `run` makes, until `run` returns false.
  public static func all(_ run: (inout Choices) -> Bool) {
    var path: [(chosen: Int, count: Int)] = []
    repeat {
      var choices = Choices(path: path)
      guard run(&choices), case .walk(let gone, _) = choices.source else { return }
      path = gone
      while let last = path.last, last.chosen + 1 == last.count { path.removeLast() }
      if let last = path.last { path[path.count - 1].chosen = last.chosen + 1 }
    } while !path.isEmpty
  }
}
