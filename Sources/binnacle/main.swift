import BinnacleBasics
import BinnacleModel
import BinnaclePosix

StandardStreams.open()
run(Array(CommandLine.arguments.dropFirst())).exit()

func run(_ words: [String]) -> ExitStatus {
  do {
    let command = try CommandLineOrder(words)
    let commands = Commands(runtimeDirectory: command.runtimeDirectory)
    switch command.order {
    case .status(let isJSON): return try commands.status(isJSON: isJSON)
    case .power(let isJSON): return try commands.power(isJSON: isJSON)
    case .why(let isJSON): return try commands.why(isJSON: isJSON)
    case .sky(let isJSON): return try commands.sky(isJSON: isJSON)
    case .watch(let order): return try commands.watch(order)
    case .trace(let output): return try commands.trace(output: output)
    case .services(let isOn): return try commands.services(isOn: isOn)
    case .doctor(let order):
      return try DoctorCommand(order: order, runtimeDirectory: command.runtimeDirectory).run()
    case .state(let state): return try state.run(commands)
    case .writes(let isJSON): return try commands.writes(isJSON: isJSON)
    case .track(let track): return track.run()
    case .press(let press): return try press.run(runtimeDirectory: command.runtimeDirectory)
    case .decode(let words): return ExitStatus(rawValue: runDecode(arguments: words)) ?? .failure
    case .help: print(HelpText.folded(CommandLineOrder.help))
    case .version: print("binnacle \(Release.version)")
    }
    return .success
  } catch let error as Arguments.UsageError {
    complain("\(error); 'binnacle help' shows what there is")
    return .usage
  } catch {
    complain("\(error)")
    return .internalError
  }
}
