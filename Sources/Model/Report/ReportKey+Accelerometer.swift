/// Keys of the report: the accelerometer.
extension ReportKey<String> {
  public static var accelerometerState: Self {
    Self(
      "accelerometer.state",
      "`looking for it`, `working`, `doubtful` (samples arrive, with a fault) or `failed`; "
        + "absent without an accelerometer")
  }
  public static var accelerometerFaultKind: Self {
    Self(
      "accelerometer.fault_kind",
      "kind of the fault: `not-found`, `unknown-chip`, `held-by-kernel`, `vanished`, "
        + "`bus-failed`, `bus-missing`, `not-permitted`, `setup-refused` or `silent`; with "
        + "`doubtful` `self-test-failed`, `frozen` or `line-silent`")
  }
  public static var accelerometerFault: Self {
    Self("accelerometer.fault", "the fault as a sentence")
  }
  public static var accelerometerChip: Self {
    Self("accelerometer.chip", "model of the chip")
  }
  public static var accelerometerReading: Self {
    Self("accelerometer.reading", "way in which samples are read")
  }
  public static var accelerometerSelfTest: Self {
    Self("accelerometer.self_test", "`passed`, or the result of the self-test")
  }
  public static var accelerometerMode: Self {
    Self(
      "accelerometer.mode",
      "purpose of the samples: `resting` (no client wants positions), `streaming`, and while "
        + "all updates pause `armed` (interrupt or seldom bursts), `alert` (the interrupt reported "
        + "movement) or `guarding` (bursts after an alarm for nothing)")
  }
}

extension ReportKey<Int64> {
  public static var accelerometerAddress: Self {
    Self("accelerometer.address", "address of the chip on the bus")
  }
  public static var accelerometerRange: Self {
    Self("accelerometer.range_g", "largest measurable acceleration")
  }
  public static var accelerometerSamples: Self {
    Self("accelerometer.samples", "samples since the start")
  }
  public static var accelerometerSamplesLost: Self {
    Self("accelerometer.samples_lost", "lost samples, estimated by the time")
  }
  public static var accelerometerOverruns: Self {
    Self("accelerometer.overruns", "overruns of the FIFO")
  }
  public static var accelerometerSamplesSaturated: Self {
    Self("accelerometer.samples_saturated", "samples at the end of the range")
  }
  public static var accelerometerMovements: Self {
    Self("accelerometer.movements", "movements that the interrupt line reported")
  }
  public static var accelerometerSetups: Self {
    Self("accelerometer.setups", "set-ups of the chip")
  }
  public static var accelerometerFaults: Self {
    Self("accelerometer.faults", "faults since the start")
  }
}

extension ReportKey<Double> {
  public static var accelerometerRate: Self {
    Self("accelerometer.rate_hz", "samples in a second")
  }
  public static var accelerometerChipNoise: Self {
    Self(
      "accelerometer.noise_of_chip_mg",
      "deviation of one axis at rest by the data sheet; absent without a figure")
  }
  public static var accelerometerLastAge: Self {
    Self("accelerometer.last_age_s", "age of the newest sample")
  }
  public static var accelerometerLastX: Self {
    Self("accelerometer.last_x_g", "mean of the last burst along the chip's x axis")
  }
  public static var accelerometerLastY: Self {
    Self("accelerometer.last_y_g", "mean of the last burst along the chip's y axis")
  }
  public static var accelerometerLastZ: Self {
    Self("accelerometer.last_z_g", "mean of the last burst along the chip's z axis")
  }
  public static var accelerometerLastDeviation: Self {
    Self(
      "accelerometer.last_deviation_mg",
      "deviation of the last burst from its mean, all axes together"
    )
  }
}

extension ReportCatalog {
  static var accelerometer: [Entry] {
    [
      .init(.accelerometerState),
      .init(.accelerometerFaultKind),
      .init(.accelerometerFault),
      .init(.accelerometerChip),
      .init(.accelerometerAddress),
      .init(.accelerometerReading),
      .init(.accelerometerRate),
      .init(.accelerometerRange),
      .init(.accelerometerChipNoise),
      .init(.accelerometerSelfTest),
      .init(.accelerometerMode),
      .init(.accelerometerLastAge),
      .init(.accelerometerLastX),
      .init(.accelerometerLastY),
      .init(.accelerometerLastZ),
      .init(.accelerometerLastDeviation),
      .init(.accelerometerSamples),
      .init(.accelerometerSamplesLost),
      .init(.accelerometerOverruns),
      .init(.accelerometerSamplesSaturated),
      .init(.accelerometerMovements),
      .init(.accelerometerSetups),
      .init(.accelerometerFaults),
    ]
  }
}
