/// Keys of the report: the receiver.
extension ReportKey<String> {
  public static var receiverDevice: Self {
    Self("receiver.device", "device that the daemon reads")
  }
  public static var receiverState: Self {
    Self("receiver.state", "state of the receiver, such as `running`")
  }
  public static var receiverPort: Self {
    Self("receiver.port", "kind of the line: `uart`, `usb`, `i2c` or a simulated line")
  }
  public static var receiverGeneration: Self {
    Self("receiver.generation", "generation of the receiver, such as `M10`")
  }
  public static var receiverFirmware: Self {
    Self("receiver.firmware", "name of the firmware, from the receiver")
  }
  public static var receiverModule: Self {
    Self("receiver.module", "name of the module, from the receiver")
  }
  public static var receiverProtocol: Self {
    Self("receiver.protocol", "version of the protocol that the receiver speaks")
  }
  public static var receiverPositionSource: Self {
    Self("receiver.position_from", "message with the positions")
  }
  public static var receiverModel: Self {
    Self("receiver.model", "confirmed dynamic model")
  }
  public static var receiverUnsupported: Self {
    Self(
      "receiver.unsupported", "settings that the firmware does not have; absent when there are none"
    )
  }
  public static var receiverDifferences: Self {
    Self("receiver.differences", "settings that read back differently; absent when there are none")
  }
  public static var receiverTrouble: Self {
    Self(
      "receiver.trouble",
      "reason why the line gives no positions, or a doubt about the receiver; absent when all "
        + "is well")
  }
  public static var receiverAdvice: Self {
    Self("receiver.advice", "remedy of the trouble")
  }
  public static func threatTime(_ threat: String) -> Self {
    Self("security.\(threat)_time", "time of the last such report, RFC 3339")
  }
}

extension ReportKey<Int64> {
  public static var receiverSpeed: Self {
    Self("receiver.speed_baud", "speed of the line; absent on a bus")
  }
  public static var receiverRate: Self {
    Self("receiver.rate_hz", "confirmed positions in a second")
  }
  public static var receiverUnanswered: Self {
    Self("receiver.unanswered", "questions about settings without an answer")
  }
  public static var receiverDamage: Self {
    Self("receiver.damaged_percent", "damaged messages of a hundred; absent before eight messages")
  }
  public static var receiverOpenings: Self {
    Self("receiver.openings", "openings of the device")
  }
  public static var receiverSearches: Self {
    Self("receiver.searches", "searches through all speeds since the start")
  }
  public static var receiverResets: Self {
    Self("receiver.resets", "restarts of the receiver that were noticed")
  }
  public static var receiverPositionLosses: Self {
    Self("receiver.position_losses", "times that the receiver stopped sending positions")
  }
  public static var receiverFrames: Self {
    Self("receiver.frames", "messages since the start")
  }
  public static var receiverEpochs: Self {
    Self("receiver.epochs", "navigation epochs since the start")
  }
  public static var receiverEpochsDropped: Self {
    Self("receiver.epochs_dropped", "epochs that were dropped")
  }
  public static var busNotAcknowledged: Self {
    Self("receiver.bus_not_acknowledged", "transfers that the receiver did not acknowledge")
  }
  public static var busTimeOuts: Self {
    Self("receiver.bus_time_outs", "transfers that timed out")
  }
  public static var busOtherFailures: Self {
    Self("receiver.bus_other_failures", "transfers that failed otherwise")
  }
  public static var busBogusLengths: Self {
    Self("receiver.bus_bogus_lengths", "impossible byte counts from the receiver")
  }
  public static var busWritesLost: Self {
    Self("receiver.bus_writes_lost", "messages to the receiver that were lost on the bus")
  }
  public static func threatBeginnings(_ threat: String) -> Self {
    Self("security.\(threat)_beginnings", "beginnings of such reports")
  }
}

extension ReportKey<Double> {
  public static var receiverLastFrameAge: Self {
    Self("receiver.last_frame_age_s", "age of the newest message")
  }
  public static var receiverSilence: Self {
    Self(
      "receiver.silent_s",
      "time since the last byte of a receiver that is awake; absent while bytes come")
  }
  public static var receiverNextQuestion: Self {
    Self(
      "receiver.asked_next_in_s",
      "time until a silent receiver is asked again; absent when none is due")
  }
  public static func threatAge(_ threat: String) -> Self {
    Self("security.\(threat)_age_s", "time since the last such report")
  }
}

extension ReportKey<Bool> {
  public static var receiverIsConfigured: Self {
    Self("receiver.is_configured", "all settings read back as ordered")
  }
  public static var receiverIsAnother: Self {
    Self(
      "receiver.is_another_than_last_time",
      "the receiver's number differs from the last one; absent without a number")
  }
  public static func threatIndicated(_ threat: String) -> Self {
    Self(
      "security.\(threat)_indicated",
      "the receiver has reported this threat since the start; THREAT is `spoofing` or `jamming`")
  }
  public static func threatPresent(_ threat: String) -> Self {
    Self("security.\(threat)_present", "the receiver reports this threat now")
  }
}

extension ReportCatalog {
  static var receiver: [Entry] {
    [
      .init(.receiverDevice),
      .init(.receiverState),
      .init(.receiverPort),
      .init(.receiverSpeed),
      .init(.receiverLastFrameAge),
      .init(.receiverSilence),
      .init(.receiverNextQuestion),
      .init(.receiverGeneration),
      .init(.receiverFirmware),
      .init(.receiverModule),
      .init(.receiverProtocol),
      .init(.receiverPositionSource),
      .init(.receiverRate),
      .init(.receiverModel),
      .init(.receiverIsConfigured),
      .init(.receiverUnsupported),
      .init(.receiverDifferences),
      .init(.receiverUnanswered),
      .init(.receiverDamage),
      .init(.receiverTrouble),
      .init(.receiverAdvice),
      .init(.receiverOpenings),
      .init(.receiverSearches),
      .init(.receiverResets),
      .init(.receiverPositionLosses),
      .init(.receiverFrames),
      .init(.receiverEpochs),
      .init(.receiverEpochsDropped),
      .init(.receiverIsAnother),
      .init(.busNotAcknowledged),
      .init(.busTimeOuts),
      .init(.busOtherFailures),
      .init(.busBogusLengths),
      .init(.busWritesLost),
      .init(.threatIndicated("THREAT")),
      .init(.threatPresent("THREAT")),
      .init(.threatBeginnings("THREAT")),
      .init(.threatAge("THREAT")),
      .init(.threatTime("THREAT")),
    ]
  }
}
