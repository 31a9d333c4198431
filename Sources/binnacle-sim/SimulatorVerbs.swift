import BinnacleModel
import BinnaclePosix
import Simulation
import UBX
import Verbs

/// The command table of `binnacle-sim`.
enum SimulatorVerbs {
  /// The action of a row, with the arguments after its verb.
  typealias Action = (Arguments) throws -> Void
  typealias Row = Verb<Action>

  static var table: VerbTable<Action> {
    VerbTable(
      program: "binnacle-sim", summary: "simulated receivers, recordings and seeds",
      verbs: boards + motion + seeds + trials + [version])
  }

  private static let generation = VerbOption.value(
    "generation", "NAME", among: Generation.allCases.map(\.rawValue),
    Generation.allCases.map(\.rawValue).joined(separator: ", "))
  private static let seed = VerbOption.value(
    "seed", "N", "the seed of the random generator; 1 by default")
  private static let path = VerbOption.value(
    "path", "NAME", "the journey; 'binnacle-sim receiver --help' lists them")
  private static let departure = VerbOption.value(
    "departure", "SECONDS", "when the journey began, since 1970; now by default")
  private static let oddities = VerbOption.value(
    "oddities", "NAME,...", "faults of the receiver, as listed in 'binnacle-sim receiver --help'")
  private static let extint = VerbOption.value(
    "extint", "FILE", "the value of a gpio-sim line that pin EXTINT0 hangs on")

  // MARK: Boards and receivers

  private static var boards: [Row] {
    [
      Row(
        "receiver", "a u-blox receiver on a pseudo-terminal or a serial line",
        options: [
          .value(
            "tty", "PATH", "a symbolic link, made when the receiver is ready, removed at the end"),
          .value("line", "DEVICE", "instead: one end of a null modem, or of a USB gadget"),
          .value("far-end", "DEVICE", "with --line: the other end, or the host's ttyACM"),
          generation, seed,
          .value(
            "start", "KIND", among: ["cold", "warm", "hot"], "cold, warm or hot; hot by default"),
          path, departure,
          .value("sky", "PERCENT", "the free share of the sky: 0 in a cellar, 100 by default"),
          .value("baud", "N", "the speed; 9600 as delivered"), oddities, extint,
        ],
        details: [
          "Paths: still, journey (a car around a block, the default), walk, motorway, flight, errand (9 s of driving, 19 s of "
            + "rest), desk, street, idling, ferry, mast, theft, elevator. With the same path, departure and seed, "
            + "'receiver', 'board' and 'i2c' are fixed to one and the same body.",
          "SIGUSR1 makes its supply dip, so that it starts anew. SIGUSR2 is an edge at its pin EXTINT0. It says when it falls "
            + "asleep and when it is awake again.",
          "Oddities: ignores-sleep (it acknowledges requests to sleep and stays awake), deaf-asleep (nothing on its line wakes "
            + "it, only time), noisy-line (noise wakes it), slow-start (it takes 1 to 2 s to answer after a start), "
            + "answers-no-poll (it obeys and reports no setting), obeys-port-only (the same, and it obeys one order alone), "
            + "hears-nothing (the wire to its RX is missing).",
          "With --line the speed of the far end is the line's speed; USB has none. At USB the default is m8: an M10 has no USB.",
        ],
        examples: ["binnacle-sim receiver --tty /tmp/receiver --generation m8"],
        action: { try ReceiverCommand($0).run() }),
      Row(
        "play", "a recording at its own pace, on a pseudo-terminal", operands: "FILE",
        operandsMax: 1,
        options: [
          .value("tty", "PATH", "the symbolic link"), .value("speed", "N", "N times faster"),
          .flag("loop", "again and again"),
        ],
        details: ["It starts when a program opens PATH."],
        examples: ["binnacle-sim play drive.ubx --tty /tmp/receiver"],
        action: { try PlayCommand($0).run() }),
      Row(
        "board", "the GPIO lines and chips of a board on a socket, for sim:PATH in a profile",
        options: [
          .value("listen", "PATH", "the socket"),
          .value("lines", "NAME,...", "the lines; GPIO0 to GPIO27 by default"),
          .value(
            "buttons", "NAME=LINE[:high],...",
            "a button pulls its line to ground, with :high to the supply"),
          .value("lamps", "NAME=LINE,...", "lamps"),
          .value("wires", "LINE=LINE,...", "the second line has the level of the first"),
          .value(
            "chips", "NAME[=ADDRESS][@LINE],...",
            "accelerometers on the bus, as for 'i2c'; LINE is where the interrupt output goes"),
          .value("log", "FILE", "the file that gets a line for each change of a lamp or a button"),
          seed, path, departure,
        ],
        details: [
          "Without options it is the board of boards/virtual.conf, which has an LIS3DH. Docs/SPEC-virtual.md has every byte. With "
            + "a path the chips measure the journey of 'receiver' with the same options; without a path they are at rest.",
          "Lines of the log are MONOTONIC_NS lamp|button NAME 0|1, with the nanoseconds of CLOCK_MONOTONIC. The file is appended to.",
        ],
        examples: ["binnacle-sim board --listen /tmp/board.sock"],
        action: { try BoardCommand($0).run() }),
      Row(
        "tell", "change the chips of a board, and their bus", operands: "PATH ADDRESS|bus ORDER...",
        operandsMax: 16, takesDashes: true,
        details: [
          "PATH ADDRESS plug | unplug | freeze AXIS | thaw | die | live | pretend IDENTITY | honest | accelerate X Y Z",
          "PATH bus stuck | free | fail COUNT ERRNO [ADDRESS] | glitch PPM | one-read | any-reads",
          "Accelerations are in g, addresses like 0x18.",
        ],
        examples: ["binnacle-sim tell /tmp/board.sock 0x18 accelerate 0 0 -1"],
        action: { try TellCommand($0).run() }),
      Row(
        "i2c", "accelerometers and a receiver on a bus of the kernel's module i2c-uadap",
        options: [
          .value("adapter", "DEVICE", "the adapter that this process answers for"),
          .value(
            "chips", "NAME[=ADDRESS],...",
            SimulatedChip.allCases.map(\.rawValue).joined(separator: ", ")
          ),
          .value(
            "receiver", "GENERATION", among: Generation.allCases.map(\.rawValue),
            "a receiver at 0x42"),
          path, departure, oddities, extint,
          .value(
            "interrupts", "ADDRESS=FILE,...",
            "the pull of the gpio-sim line that a chip's interrupt output is wired to"),
          .value(
            "control", "FIFO",
            "one fault order per line; an invalid order is answered with the list of orders"
          ),
          seed,
        ],
        details: ["The module is part of Bench/kernel. Oddities and pin are those of 'receiver'."],
        examples: ["binnacle-sim i2c --adapter /dev/i2c-uadap --chips lis3dh"],
        action: { try I2CCommand($0).run() }),
    ]
  }

  // MARK: Motion

  private static var motion: [Row] {
    [
      Row(
        "motion", "run the rest detector on a recording", operands: "FILE.csv|-",
        operandsMax: 1,
        options: [
          .value(
            "dwell", "SECONDS", "how long the board must have rested (60); 0 gives the bare verdict"
          ),
          .flag("no-gnss", "without the receiver's speeds"),
          .value("profile", "NAME", among: ["default", "quiet"], "default or quiet"),
          .flag("evidence", "each line is followed by a comment with the numbers behind it"),
          .flag(
            "hops",
            "a line for each quarter of a second: t_s, isStationary, sway_mg, steady_mg, threshold_mg, speed_mps, credit_s"
          ),
        ],
        details: [
          "The columns are t_s, ax_g, ay_g, az_g, gps_speed; the file may be compressed with gzip. It prints a line "
            + "\"t_s,isStationary\" for each change, the first one at the first sample. The receiver is taken to sleep one minute after a "
            + "rest has begun and to answer 3 s after it is woken. Unusable lines are reported on standard error; status 65 if lines were "
            + "left out."
        ],
        examples: ["binnacle-sim motion drive.csv --hops"],
        action: { try MotionCommand($0).run() }),
      Row(
        "motion-score",
        "the table of figures for recordings whose column \"label\" has the true state",
        operands: "[FILE...]", operandsMax: 10_000,
        options: [
          .flag(
            "curve",
            "time to the end of a rest, and rate of false ends, from the fastest to the slowest profile"
          ),
          .flag("journeys", "also the detector's results for simulated journeys"),
        ],
        details: [
          "The label is 0 at rest, 1 moving. A file is scored whole or, with 65, not at all."
        ],
        examples: ["binnacle-sim motion-score --journeys drive.csv"],
        action: { try MotionScoreCommand($0).run() }),
      Row(
        "rest-score", "what an app gets in three hours at rest", operands: "RECORDING.csv LOG...",
        operandsMax: 10_000,
        details: [
          "The logs are of receivers that did not move when they were made (NAV-PVT, played to and fro); of the recording of "
            + "motion the longest stretch of rest counts. Beside it stands what the app gets without pauses."
        ],
        examples: ["binnacle-sim rest-score desk.csv desk.ubx"],
        action: { try RestScoreCommand($0).run() }),
      Row(
        "body", "a simulated journey as a recording of motion",
        options: [path, .value("seconds", "N", "its length; by default that of the path"), seed],
        details: ["What a chip on the body measures, and a receiver's speeds."],
        examples: ["binnacle-sim body --path ferry --seconds 60"],
        action: { try JourneyCommand($0).run() }),
    ]
  }

  // MARK: Seeds

  private static var seeds: [Row] {
    [
      Row(
        "replay", "run a saved trace through the engine again; 1 at the first difference",
        operands: "TRACE", operandsMax: 1,
        details: [
          "TRACE is a file of 'binnacle trace'. Each event is printed with its time in seconds, and after it the effects that the "
            + "engine of this version has ordered. The last line says that they are the effects of the trace, or the lines after "
            + "'diverged' are the effects of the trace and those of now. Status 65 if the file is no trace or was changed."
        ],
        examples: ["binnacle-sim replay board.trace"],
        action: { try ReplayCommand($0).run() }),
      Row(
        "seeds", "simulated journeys with faults; 1 when one breaks a rule", operands: "FROM..TO",
        operandsMax: 1, examples: ["binnacle-sim seeds 1..100"],
        action: { try SeedCommand(range: $0).run() }),
      Row(
        "seed", "one simulated journey, also with another generation of receiver", operands: "N",
        operandsMax: 1,
        options: [
          generation, .flag("life", "only the board whose apps a launcher runs"),
          .flag("verbose", "every event and effect"),
        ],
        examples: ["binnacle-sim seed 7 --verbose"], action: { try SeedCommand($0).run() }),
      Row(
        "hunt", "seeds for some minutes, or until one fails; 1 when one has failed",
        options: [
          .value("minutes", "N", "10 by default"),
          .value("seed", "START", "where the seeds begin; by default the time"),
          .value("workers", "N", "by default one for each processor"),
          .flag(
            "keep-going",
            "no failure ends it; in the end failures are listed by the rule that was broken"),
          .flag("life", "only the boards whose apps a launcher runs, ten times as many"),
        ],
        examples: ["binnacle-sim hunt --minutes 5 --keep-going"],
        action: { try HuntCommand($0).run() }),
    ]
  }

  // MARK: The program

  private static var version: Row {
    Row(
      "version", "print the version", examples: ["binnacle-sim version"],
      action: { _ in try Output.say("binnacle-sim \(Release.version)") })
  }

  // MARK: Trials

  private static var trials: [Row] {
    [
      Row(
        "state-cuts", "power cuts under the log that state is kept in; 1 when a promise is broken",
        options: [
          .value("count", "N", "random cuts (20000)"), seed,
          .value("length", "N", "before them every sequence of up to N operations (3)"),
        ],
        examples: ["binnacle-sim state-cuts --count 1000"],
        action: { try StateCutsCommand($0).run() }),
      Row(
        "state-rot", "damaged logs of state and damaged marks: overwritten, cut off or shifted",
        options: [.value("count", "N", "logs (1000)"), seed],
        details: [
          "Status 1 if a loss or a lost mark is not reported, a power cut is reported as damage, "
            + "or services that were off are on again."
        ],
        examples: ["binnacle-sim state-rot --count 100"],
        action: { try StateRotCommand($0).run() }),
      Row(
        "state-years", "the size of the state log after years of use", operands: "[N]",
        operandsMax: 1, details: ["N is 10 by default: size, bytes written, time to recover."],
        examples: ["binnacle-sim state-years 2"],
        action: { try StateYearsCommand($0).run() }),
      Row(
        "hot-starts", "power cuts of boards whose receivers have no battery", operands: "[N]",
        operandsMax: 1,
        details: [
          "Seconds to the first location of N boards (12) with what was kept, with nothing, with another receiver's records, with "
            + "a changed byte, with a wrong clock. 1 when what was kept takes more than 15 s, or anything else less than 30 s."
        ],
        examples: ["binnacle-sim hot-starts 4"],
        action: { try HotStartsCommand($0).run() }),
      Row(
        "connections", "starts over lines that lose bytes, and of receivers that answer no poll",
        operands: "[N]", operandsMax: 1,
        options: [
          generation, .value("seed", "S", "one start, with every event and effect"),
          .value("loss", "PERCENT", "with --seed: how many of its bytes the line loses (0)"),
        ],
        details: [
          "N starts (20) of each receiver: seconds to the first position and to a configured receiver. Status 1 if a position is "
            + "later than the limit, or if the control, a line that damages every message, gives a position."
        ],
        examples: ["binnacle-sim connections 2"],
        action: { try ConnectionsCommand($0).run() }),
      Row(
        "departures", "boards that rest and then drive off or are carried off", operands: "[N]",
        operandsMax: 1,
        details: [
          "Seconds from the first motion to the first update of an app, of N boards (120), with a receiver that rests, one that "
            + "sleeps, and as a control one that loses its memory asleep. 1 when 95 % take more than 3 s or 5 s, or the "
            + "control does not."
        ],
        examples: ["binnacle-sim departures 20"],
        action: { try DeparturesCommand($0).run() }),
      Row(
        "sleep-days", "how long the receiver is on in so many hours of a board at rest",
        operands: "[HOURS]", operandsMax: 1,
        details: [
          "HOURS is 24 by default: with an accelerometer and without, while no app asks, and with two controls; 1 when that is more "
            + "than its limit."
        ],
        examples: ["binnacle-sim sleep-days 12"],
        action: { try SleepDaysCommand($0).run() }),
    ]
  }
}
