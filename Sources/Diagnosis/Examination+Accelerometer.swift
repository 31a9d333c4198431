import BinnacleModel
public import Board

/// Checks the accelerometer: its type, and whether its samples agree with its data sheet.
extension Examination {
  /// A request to identify the chip on a bus that no program reads at present.
  public struct AccelerometerQuestion: Equatable, Sendable {
    /// `/dev/i2c-1`, or `sim:PATH`.
    public let bus: String
    public let accelerometer: Profile.Accelerometer
  }

  /// The result of the search for the chip; the texts contain the registers and values that were read.
  public enum AccelerometerAnswer: Equatable, Sendable {
    case identified(model: String, address: UInt8)
    /// No chip answers.
    case absent(String)
    /// An unknown chip answers.
    case stranger(String)
    /// A kernel driver has claimed the address.
    case heldByKernel(String)
    /// Transfers fail or do not end.
    case stuck(String)
    /// The bus could not be used.
    case failed(String)
  }

  /// The ratio of one axis' noise to the data sheet's noise that is worth a note.
  private static let noiseRatioMax = 5.0

  mutating func examineAccelerometer() {
    guard let profile, let accelerometer = profile.accelerometer, let bus = profile.board.bus else {
      return
    }
    let place = busPlace(bus)
    // A fault of the bus was reported before.
    let told: [Finding.Name] = [.busMissing, .busDriverMissing, .deviceRefused, .chipMissing]
    if findings.contains(where: { $0.subject == place && told.contains($0.name) }) { return }
    switch inquiry.daemon {
    case .report(let report): examineAccelerometer(in: report, place)
    case .refusal, .crowded: return
    case .absence:
      if case .device(let path) = bus, let node = view.node(at: path), !machine.person.mayUse(node)
      {
        findings.append(
          .note(
            .accelerometerNotAsked, place,
            "user \(machine.person.name) may not open it, so its identity was not read",
            mend: "sudo binnacle doctor"))
      } else {
        accelerometerQuestion = AccelerometerQuestion(bus: place, accelerometer: accelerometer)
      }
    }
  }

  private func busPlace(_ bus: Profile.BusSource) -> String {
    switch bus {
    case .device(let path): path
    case .simulated(let path): "sim:" + socket(path)
    }
  }

  // MARK: The daemon's report

  private mutating func examineAccelerometer(in report: Report, _ place: String) {
    guard let state = report[.accelerometerState] else { return }
    var fault = state
    if let text = report[.accelerometerFault] { fault = text }
    switch state {
    case "working": tellWorking(report, place)
    case "doubtful":
      tellWorking(report, place)
      findings.append(
        .fault(
          .accelerometerDoubtful, place, fault,
          mend:
            "take its power away for ten seconds; if the fault persists, replace the chip or check the wire of "
            + "[Accelerometer] Interrupt="))
    case "failed":
      findings.append(.fault(.accelerometerFails, place, fault, mend: adviceOnWires(place)))
    default: return
    }
  }

  private mutating func tellWorking(_ report: Report, _ place: String) {
    guard let chip = report[.accelerometerChip] else { return }
    var subject = place
    if let number = report[.accelerometerAddress],
      let address = UInt8(exactly: number)
    {
      subject += " address 0x\(hexadecimal(address))"
    }
    guard let deviation = report[.accelerometerLastDeviation] else {
      let text =
        "the accelerometer is a \(chip); its noise is measured while a program gets positions"
      findings.append(.note(.accelerometerFound, subject, text))
      return
    }
    // The report has the deviation over three axes, the data sheet the noise of one axis.
    let noise = deviation / 3.0.squareRoot()
    guard let chipNoise = report[.accelerometerChipNoise], chipNoise > 0 else {
      let text =
        "the accelerometer is a \(chip); its samples scatter by \(tenths(noise)) mg on an axis, and there "
        + "is no figure to compare with"
      findings.append(.note(.accelerometerFound, subject, text))
      return
    }
    let measured =
      "its samples scatter by \(tenths(noise)) mg on an axis, at rest the data sheet says \(tenths(chipNoise)) mg"
    findings.append(
      noise > chipNoise * Examination.noiseRatioMax
        ? .note(
          .accelerometerNoisy, subject, "the accelerometer is a \(chip); \(measured)",
          mend:
            "repeat with the board at rest; if it is the same, fasten the chip, keep fans and motors "
            + "away, and put 100 nF at its supply")
        : .note(.accelerometerFound, subject, "the accelerometer is a \(chip); \(measured)"))
  }

  /// A number with one decimal.
  private func tenths(_ number: Double) -> String {
    let limited = min(max(number, 0), 1e9)
    let count = Int64((limited * 10).rounded())
    return "\(count / 10).\(count % 10)"
  }

  // MARK: The chip's samples

  /// Takes the answer to `accelerometerQuestion`.
  public mutating func accelerometerAnswered(_ answer: AccelerometerAnswer) {
    guard let place = accelerometerQuestion?.bus else { return }
    accelerometerQuestion = nil
    switch answer {
    case .identified(let model, let address):
      findings.append(
        .note(
          .accelerometerFound, "\(place) address 0x\(hexadecimal(address))",
          "the accelerometer is a \(model)"))
    case .absent(let text):
      findings.append(.fault(.accelerometerMissing, place, text, mend: adviceOnWires(place)))
    case .stranger(let text):
      findings.append(
        .fault(
          .accelerometerUnknown, place, text,
          mend:
            "Address= in [Accelerometer] of a drop-in of the profile says where the accelerometer is, "
            + "Chip=none that there is none"))
    case .heldByKernel(let text):
      if findings.contains(where: { $0.name == .kernelDriver && $0.severity == .note }) { return }
      findings.append(
        .note(
          .kernelDriver, place, "\(text); an accelerometer there is read by way of /sys/bus/iio"))
    case .stuck(let text):
      findings.append(
        .fault(
          .busFails, place, text,
          mend:
            "take the power of board and chips away for ten seconds; if it stays so, unplug one chip after "
            + "the other, and look for a short of SDA or SCL and for their resistors to 3.3 V"))
    case .failed(let text):
      findings.append(
        .fault(
          .busFails, place, text, mend: "I2C= in a drop-in of the profile names the right bus"))
    }
  }

  private func adviceOnWires(_ place: String) -> String {
    if place.hasPrefix("sim:") {
      return
        "binnacle-sim board with --chips lis3dh has one; or Chip=none in [Accelerometer] of the profile"
    }
    var look = ""
    if let number = place.split(separator: "-").last.flatMap({ Int($0) }), place.hasPrefix("/dev/")
    {
      look = ", 'i2cdetect -y \(number)' shows the addresses that answer"
    }
    return
      "wire its SDA, SCL, 3.3 V and ground, and its address pin as Address= says\(look); or Chip=none in "
      + "[Accelerometer] of a drop-in of the profile"
  }
}
