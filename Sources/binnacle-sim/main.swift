import BinnacleBasics
import BinnaclePosix
import Verbs

StandardStreams.open()
do {
  let words = try Arguments.wordsOfProcess()
  switch try SimulatorVerbs.table.request(words == ["--version"] ? ["version"] : words) {
  case .show(let text): try Output.say(text)
  case .run(let verb, let arguments): try verb.action(arguments)
  }
} catch let error as Arguments.UsageError {
  Output.fail(error.description, .usage)
} catch let error as RecordingInput.Unreadable {
  Output.fail(error.description, .inputMissing)
} catch let error as SystemError {
  Output.fail(error.description, .cannotCreate)
} catch {
  Output.fail("\(error)", .internalError)
}
