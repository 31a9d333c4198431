// Makes changes with Foundation's UserDefaults, for Bench/measures/state-cost-*.sh: defaults-cost COUNT SECONDS

import Foundation

let words = CommandLine.arguments
guard words.count == 3, let count = Int(words[1]), let seconds = Double(words[2]) else { exit(64) }
let defaults = UserDefaults.standard
for number in 0..<count {
  let value = Data((0..<64).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
  defaults.set(value, forKey: "state")
  guard defaults.synchronize() else { exit(1) }
  if seconds > 0 { Thread.sleep(forTimeInterval: seconds) }
}
