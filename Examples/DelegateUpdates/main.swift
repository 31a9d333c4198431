import CoreLocation

// Records a trip until SIGINT or SIGTERM.
//
//     DelegateUpdates [--background] [--exact] [--rough]

let words = Set(CommandLine.arguments.dropFirst())
guard words.isSubset(of: ["--background", "--exact", "--rough"]) else {
  let usage = "usage: DelegateUpdates [--background] [--exact] [--rough]\n"
  FileHandle.standardError.write(Data(usage.utf8))
  exit(64)
}

let recorder = TripRecorder { line in
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
if words.contains("--rough") { recorder.recordRoughly() }
if words.contains("--exact") { recorder.recordExactly() }
if words.contains("--background") { recorder.recordInBackground() }

let endings = [SIGINT, SIGTERM].map { number in
  signal(number, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
  source.setEventHandler {
    recorder.finish()
    exit(0)
  }
  source.resume()
  return source
}

RunLoop.main.run()
withExtendedLifetime(endings) {}
