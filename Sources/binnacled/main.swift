import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Daemon
import Glibc

StandardStreams.open()
run().exit()

func run() -> ExitStatus {
  do {
    let arguments = try DaemonArguments(Arguments.wordsOfProcess())
    switch arguments.order {
    case .help:
      print(DaemonArguments.table.help)
    case .completion(let shell):
      print(DaemonArguments.table.completion(for: shell))
    case .version:
      print("binnacled \(Release.version)")
    case .check:
      print(PlainText.lines(try StartPlan(arguments).summary))
    case .run:
      try Service.run(try StartPlan(arguments).settings)
    }
    return .success
  } catch let error as Arguments.UsageError {
    complain("\(error); 'binnacled --help' shows what there is")
    return .usage
  } catch let failure as StartFailure {
    complain(failure.text)
    return failure.kind
  } catch {
    complain("\(error)")
    return .internalError
  }
}

/// Reports on standard error why the daemon does not start.
func complain(_ text: String) {
  let isJournal = StartPlan.isJournal
  for line in text.split(separator: "\n") {
    let bytes = Array(
      ((isJournal ? "<3>" : "binnacled: ") + PlainText.line(String(line)) + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
