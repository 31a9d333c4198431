import BinnacleBasics
import BinnaclePosix

/// Runs the simulated world: a receiver on a pseudo-terminal, a recording, a trace, seeds.
let usage = """
  binnacle-sim: simulated receivers, recordings and seeds

  binnacle-sim receiver --tty PATH [--generation 6|7|m8|m10|m10-5.30] [--seed N]
                        [--start cold|warm|hot] [--path NAME] [--departure SECONDS]
                        [--baud N] [--oddities NAME,...] [--extint FILE]
      A u-blox receiver on a pseudo-terminal. PATH is a symbolic link, made when it is ready and removed
      at the end. Default: m10, seed 1, hot, journey, 9600 baud as delivered.
      Paths: still, journey (a car around a block), walk, motorway, flight, errand (9 s of driving, 19 s of rest), desk,
      street, idling, ferry, mast, theft, elevator. A departure is seconds since 1970, and now by default: with the same
      path, departure and seed, "receiver", "board" and "i2c" are fixed to one and the same body.
      SIGUSR1 makes its supply dip, so that it starts anew; SIGUSR2 is an edge at its pin EXTINT0. It says when it falls
      asleep and when it is awake again. Oddities: ignores-sleep (it acknowledges requests to sleep and stays awake),
      deaf-asleep (nothing on its line wakes it, only time), noisy-line (noise wakes it), slow-start (it takes
      1 to 2 s to answer after a start). With --extint the pin hangs on a gpio-sim line whose value is FILE.
  binnacle-sim receiver --line DEVICE --far-end DEVICE [...]
      The same at one end of a null modem (both ends devices of this machine), or behind a USB gadget's
      end with the host's ttyACM as the far one. The far end's speed is the one that counts, save at USB,
      where an M8 is the default: an M10 has no USB.
  binnacle-sim play FILE --tty PATH [--speed N] [--loop]
      A recording at its own pace, N times faster; it starts when somebody opens PATH.
  binnacle-sim board --listen PATH [--lines NAME,...] [--buttons NAME=LINE[:high],...]
                     [--lamps NAME=LINE,...] [--wires LINE=LINE,...]
                     [--chips NAME[=ADDRESS][@LINE],...] [--seed N]
                     [--path NAME [--departure SECONDS]]
      The GPIO lines of a board on a socket, for sim:PATH in a profile; Docs/SPEC-virtual.md has every
      byte. Without options it is the board of boards/virtual.conf, which has an LIS3DH. Lines are GPIO0 to GPIO27 unless named;
      a button pulls its line to ground, with :high to the supply; a wire gives the second line the level of
      the first. Chips are accelerometers on the board's I2C bus, as for "i2c"; LINE is where the interrupt
      output goes. With a path they feel the journey of "receiver" with the same options; without, they lie still.
  binnacle-sim tell PATH ADDRESS plug|unplug|freeze AXIS|thaw|die|live|pretend IDENTITY|honest
  binnacle-sim tell PATH ADDRESS accelerate X Y Z
  binnacle-sim tell PATH bus stuck|free|fail COUNT ERRNO [ADDRESS]|glitch PPM|one-read|any-reads
      What somebody does to the chips of a board, and to their bus; accelerations in g, addresses like 0x18.
  binnacle-sim i2c --adapter DEVICE [--chips NAME[=ADDRESS],...] [--receiver GENERATION]
                   [--path NAME [--departure SECONDS]] [--oddities NAME,...] [--extint FILE]
                   [--interrupts ADDRESS=FILE,...] [--control FIFO] [--seed N]
      Accelerometers (adxl345, icm20948, kx022, kx023, lis3dh, lsm6ds3, lsm6ds3trc, lsm6dso, lsm9ds1, mma8451,
      mma8452, mma8453, mpu6050, mpu6500) and a receiver at 0x42 on a bus whose adapter a process answers for: the
      module i2c-uadap of Bench/kernel. Oddities and pin are the receiver's, as above. FILE is the pull of a gpio-sim line that a chip's interrupt output is wired
      to. Orders about what goes wrong are lines of FIFO; a wrong one is answered with a list of them.
  binnacle-sim motion FILE.csv|- [--dwell SECONDS] [--no-gnss] [--profile default|quiet]
                      [--evidence | --hops]
      What the detector of rest says of a recording (columns t_s, ax_g, ay_g, az_g, gps_speed; also
      compressed with gzip): a line "t_s,isStationary" for each change, the first one at the first sample.
      --dwell 0 gives the bare verdict; 60 is the default. The receiver is taken to sleep one minute after a
      rest has begun and to answer 3 s after it is woken. With --evidence each line is followed by a comment
      with the numbers behind it; with --hops there is a line for each quarter of a second: t_s, isStationary, sway_mg,
      steady_mg, threshold_mg, speed_mps, credit_s. What cannot be used is told on standard error; 65 when lines were left out.
  binnacle-sim motion-score [--curve | --journeys] [FILE...]
      The table of figures for recordings whose column "label" tells the truth: 0 at rest, 1 moving. With --curve
      how soon a rest ends, and how often for nothing, for profiles from the readiest to the most patient. With --journeys
      also what the detector makes of simulated journeys. A file is scored whole or, with 65, not at all.
  binnacle-sim rest-score RECORDING.csv LOG...
      What an app gets in three hours at rest, by receivers that did not move when their logs were made (NAV-PVT, played to and fro)
      and by the longest stretch of rest of a recording of motion; beside it what it gets without pauses.
  binnacle-sim body [--path NAME] [--seconds N] [--seed N]
      A simulated journey as such a recording: what a chip on the body measures, and a receiver's speeds.
  binnacle-sim replay TRACE
      Runs a saved trace through the engine again; 1 at the first difference.
  binnacle-sim seeds FROM..TO
      Simulated journeys with faults; 1 when one breaks a rule.
  binnacle-sim seed N [--generation G] [--verbose]
      One of them, or the same journey with another receiver; with --verbose every event and effect.
  binnacle-sim hunt [--minutes N] [--seed START] [--workers N] [--keep-going]
      Seeds for N minutes (10), or until one fails; 1 when one has failed. They follow from START, by default the time, so that a
      hunt can be repeated. There is a worker for each processor. With --keep-going no failure ends it, and in the end the failures are
      listed by the rule that was broken, with how often and examples.
  binnacle-sim state-cuts [--count N] [--seed N] [--length N]
      Power cuts under the log that state is kept in: every sequence of up to --length operations (3, with
      0 none), then N random cuts from a seed on; 1 when a promise is broken. Default: 20000 cuts, seed 1.
  binnacle-sim state-rot [--count N] [--seed N]
      N damaged logs of state (1000), overwritten, cut off or shifted, from a seed on; 1 when a loss is not told, a
      decision that services are off is undone, or a power cut is called damage.
  binnacle-sim state-years [N]
      What becomes of that log in N years (10) of a board's life: size, bytes written, time to recover.
  binnacle-sim hot-starts [N]
      Power cuts of N boards (12) whose receivers have no battery: seconds to the first location with what was
      kept, with nothing, with another receiver's records, with a changed byte, with a wrong clock. 1 when what was
      kept takes more than 15 s, or anything else less than 30 s.
  binnacle-sim connections [N] [--generation G]
  binnacle-sim connections --seed S --loss PERCENT [--generation G]
      N starts (20) of each receiver over lines that lose bytes, and of receivers that answer no poll: seconds to the
      first position and to a receiver that is configured. 1 when a position takes longer than it may, or when one comes
      over the control, a line that no message survives. With --seed one start over a line that loses so many percent of
      its bytes (0): every event and effect.
  binnacle-sim departures [N]
      N boards (120) that rest and then drive off or are carried off: seconds from the first motion to the first update of
      an app, with a receiver that rests, one that sleeps, and as a control one that loses its memory asleep. 1 when
      95 % take more than 3 s or 5 s, or the control does not.
  binnacle-sim sleep-days [HOURS]
      How long the receiver is on in so many hours (24) of a board at rest, with an accelerometer and without, while
      nobody asks, and with two controls; 1 when that is more than its limit.
  """

/// What the usage says of one command; nil: there is none of this name.
func usage(of command: String) -> String? {
  var isWanted = false
  let lines = usage.split(separator: "\n").filter { line in
    if line.hasPrefix("binnacle-sim ") { isWanted = line.split(separator: " ")[1] == command }
    return isWanted
  }
  return lines.isEmpty ? nil : lines.joined(separator: "\n")
}

StandardStreams.open()
var words = Array(CommandLine.arguments.dropFirst())
guard let command = words.first else {
  Output.complain(HelpText.folded(usage))
  ExitStatus.usage.exit()
}
words.removeFirst()
do {
  if words.contains("--help") || words.contains("-h"), let usage = usage(of: command) {
    try Output.say(HelpText.folded(usage))
    ExitStatus.success.exit()
  }
  switch command {
  case "receiver": try ReceiverCommand(words).run()
  case "play": try PlayCommand(words).run()
  case "board": try BoardCommand(words).run()
  case "i2c": try I2CCommand(words).run()
  case "tell": try TellCommand(words).run()
  case "replay": try ReplayCommand(words).run()
  case "seeds", "seed": try SeedCommand(command, words).run()
  case "hunt": try HuntCommand(words).run()
  case "state-cuts": try StateCutsCommand(words).run()
  case "state-rot": try StateRotCommand(words).run()
  case "state-years": try StateYearsCommand(words).run()
  case "hot-starts": try HotStartsCommand(words).run()
  case "connections": try ConnectionsCommand(words).run()
  case "departures": try DeparturesCommand(words).run()
  case "sleep-days": try SleepDaysCommand(words).run()
  case "motion": try MotionCommand(words).run()
  case "body": try JourneyCommand(words).run()
  case "motion-score": try MotionScoreCommand(words).run()
  case "rest-score": try RestScoreCommand(words).run()
  case "help", "--help", "-h": try Output.say(HelpText.folded(usage))
  default: throw Arguments.UsageError("unknown command '\(command)'; see binnacle-sim --help")
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
