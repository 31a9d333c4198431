import BinnacleBasics
import BinnaclePosix
import Verbs

StandardStreams.open()
run().exit()

func run() -> ExitStatus {
  do {
    let words = try Arguments.wordsOfProcess()
    switch try BinnacleVerbs.table.request(words == ["--version"] ? ["version"] : words) {
    case .show(let text): return Output.print(text) ? .success : .failure
    case .run(let verb, let arguments):
      return try verb.action(arguments, Commands(runtimeDirectory: arguments.value("runtime")))
    }
  } catch let error as Arguments.UsageError {
    complain("\(error)")
    return .usage
  } catch {
    complain("\(error)")
    return .internalError
  }
}
