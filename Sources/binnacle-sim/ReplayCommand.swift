import BinnaclePosix
import LocationEngine
import Simulation

/// `binnacle-sim replay`: a saved trace through the engine again.
struct ReplayCommand {
  private let file: String

  init(_ arguments: Arguments) throws {
    guard let file = arguments.positionals.first else {
      throw Arguments.UsageError("replay needs TRACE")
    }
    self.file = file
  }

  func run() throws {
    let bytes: [UInt8]
    do {
      bytes = try Files.read(file, sizeMax: 1 << 28, acceptsPipes: true)
    } catch {
      Output.fail("\(error)", .inputMissing)
    }
    let trace: TraceFile
    do {
      trace = try TraceFile(decoding: bytes)
    } catch {
      Output.fail("\(file): \(ReplayCommand.text(of: error))", .dataDamaged)
    }
    try show(trace)
    switch trace.replay() {
    case .same(let count):
      try Output.say("same: \(count) events, the same effects")
    case .diverged(let index, let record, let effects):
      try Output.say("diverged at event \(index): \(record.event)")
      for effect in record.effects { try Output.say("  then -> \(effect)") }
      for effect in effects { try Output.say("  now -> \(effect)") }
      ExitStatus.failure.exit()
    }
  }

  private func show(_ trace: TraceFile) throws {
    var engine = trace.checkpoint
    var last = trace.records.first?.instant ?? .zero
    for record in trace.records {
      guard record.instant >= last else { return }
      last = record.instant
      try Output.say(Transcript.line(record.instant, record.event))
      var effects: [Effect] = []
      engine.handle(record.event, at: record.instant, into: &effects)
      for effect in effects { try Output.say(Transcript.line(effect)) }
    }
  }

  private static func text(of damage: TraceFile.Damage) -> String {
    switch damage {
    case .notATrace: "is no trace"
    case .versionUnsupported(let version): "is a trace of version \(version)"
    case .changed: "was changed or cut off: its sum is wrong"
    case .malformed: "is a trace that does not make sense"
    }
  }
}
