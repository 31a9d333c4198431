import BinnaclePosix
import Drawing
import LocationEngine
import UBX

/// A recording of receiver bytes as a track: the positions of its solutions.
struct TrackRecording {
  /// A path, or `-` for standard input.
  let path: String
  /// Milliseconds since 1970; earlier positions, and positions without a date, are left out.
  let start: Int64?

  private var name: String { path == DecodeCommand.standardInput ? "standard input" : path }

  /// Passes on all positions in their order; ends early if the body returns false.
  ///
  /// - Parameters:
  ///   - flush: called after each piece of a source that is still being written.
  ///   - body: takes a position.
  /// - Returns: the exit status of the input.
  func read(flush: () -> Bool, _ body: (TrackSample) -> Bool) -> ExitStatus {
    var decoder = StreamDecoder(publication: .whenEnded)
    var isOpen = true
    var status = ExitStatus.success
    func take() {
      while isOpen, let solution = decoder.nextSolution() {
        guard let sample = sample(of: solution) else { continue }
        isOpen = body(sample)
      }
    }
    do throws(DecodeFailure) {
      let source = try DecodeSource(path == DecodeCommand.standardInput ? nil : path)
      let isLive = source.isLive
      try source.readAll { bytes throws(DecodeFailure) in
        decoder.append(bytes)
        take()
        if isLive, isOpen { isOpen = flush() }
        // The output is closed: the rest of the input is of no use.
        if !isOpen { throw .output(.brokenPipe) }
      }
    } catch {
      if case .output = error { return .failure }
      status = error.reported(of: name)
    }
    decoder.finish()
    take()
    if decoder.damage.discardedBytes > 0 {
      complain("\(name): \(DecodeCommand.summary(of: decoder.damage))")
    }
    if decoder.frameCounts.total == 0, status == .success {
      complain("\(name): no frame of UBX, NMEA or RTCM is in it")
      status = .dataDamaged
    }
    return status
  }

  private func sample(of solution: NavigationSolution) -> TrackSample? {
    guard let recorded = RecordedFix(solution) else { return nil }
    let sample = TrackSample(recorded.fix, hasDate: recorded.hasDate)
    guard let start else { return sample }
    return (sample.timeMilliseconds ?? .min) >= start ? sample : nil
  }
}
