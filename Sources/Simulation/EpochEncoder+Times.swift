import BinnacleBasics

/// The messages about time and satellites that are older than NAV-PVT and NAV-SAT.
extension EpochEncoder {
  /// The remainder after the time of week is rounded to milliseconds.
  static func fractionNanoseconds(_ epoch: Epoch) -> Int32 {
    let rest = epoch.nano % 1_000_000
    return rest > 500_000 ? rest - 1_000_000 : rest < -500_000 ? rest + 1_000_000 : rest
  }

  /// UBX-NAV-TIMEUTC, 20 bytes (UBX-21035062).
  static func navTIMEUTC(_ epoch: Epoch, _ generation: Generation) -> [UInt8] {
    let calendar = epoch.shownSecond.calendar
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.u32(epoch.timeAccuracyNanoseconds)
    writer.i32(epoch.nano)
    writer.u16(UInt16(calendar.year))
    for field in [
      calendar.month, calendar.day, calendar.hour, calendar.minute, calendar.second,
    ] {
      writer.u8(UInt8(field))
    }
    // Bits 4 to 7 equal those of NAV-PVT in pyubx2-mixed.log and gpsd-zed-f9p-hp.log.
    writer.u8(generation.undocumentedValidBits | validity(epoch))
    return writer.bytes
  }

  /// UBX-NAV-TIMEGPS, 16 bytes: week and leap seconds (recordings gpsd-gen7-gr701w-fixloss.log, gpsd-neo-m8p.log).
  static func navTIMEGPS(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.i32(fractionNanoseconds(epoch))
    writer.i16(Int16(truncatingIfNeeded: GPSTime.week(of: epoch.shownSecond)))
    writer.i8(Int8(GPSTime.leapSeconds))
    writer.u8(validity(epoch))
    writer.u32(epoch.timeAccuracyNanoseconds)
    return writer.bytes
  }

  /// UBX-NAV-TIMELS, 24 bytes: the leap seconds, without a pending leap second event.
  ///
  /// The source of the leap seconds is the firmware (0) until GPS (2) has reported them (UBX-21035062;
  /// recordings gpsd-m10-spg510-glo.log, gpsd-ublox8-uniqid-monhw.log).
  static func navTIMELS(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.put([0, 0, 0, 0, epoch.isFullyResolved ? 2 : 0, UInt8(GPSTime.leapSeconds), 0, 0])
    writer.i32(0)
    writer.put([0, 0, 0, 0, 0, 0, 0, epoch.isFullyResolved ? 1 : 0])
    return writer.bytes
  }

  /// UBX-NAV-CLOCK, 20 bytes: bias, drift, accuracy of the time, accuracy of the frequency in ps/s.
  ///
  /// The accuracy of the frequency is about 1,600 with a good fix (recordings gpsd-gen7-gr701w-fixloss.log,
  /// gpsd-navisys-gr8013.log).
  static func navCLOCK(_ epoch: Epoch) -> [UInt8] {
    let isKnown = epoch.timeAccuracyNanoseconds != UInt32.max
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.i32(epoch.clockBiasNanoseconds)
    writer.i32(epoch.clockDriftNanosecondsPerSecond)
    writer.u32(epoch.timeAccuracyNanoseconds)
    writer.u32(isKnown ? (epoch.isFixOK ? 1_600 : 5_000) : UInt32.max)
    return writer.bytes
  }

  /// UBX-NAV-SVINFO, 8 + 12 n bytes (UBX-13003221).
  ///
  /// Flags and quality are those of gpsd-gen7-gr701w-fixloss.log for used (0D, 7), tracked (04, 4) and searched (04, 1)
  /// satellites.
  static func navSVINFO(_ epoch: Epoch, _ generation: Generation) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.u8(UInt8(epoch.satellites.count))
    writer.put([generation.chipGeneration, 0, 0])
    for (channel, satellite) in epoch.satellites.enumerated() {
      writer.u8(UInt8(channel))
      writer.u8(satellite.number + UInt8(satellite.system.sentenceOffset))
      writer.u8(satellite.isUsed ? 0x0D : 0x04)
      writer.u8(satellite.isUsed ? 7 : satellite.signal > 0 ? 4 : 1)
      writer.u8(satellite.signal)
      writer.i8(satellite.elevation)
      writer.i16(satellite.azimuth)
      writer.i32(satellite.isUsed ? 30 : 0)
    }
    return writer.bytes
  }

  /// The bits that state a valid time of week, a valid week number and valid leap seconds.
  private static func validity(_ epoch: Epoch) -> UInt8 {
    (epoch.isTimeValid ? 1 : 0) | (epoch.isDateValid ? 2 : 0) | (epoch.isFullyResolved ? 4 : 0)
  }
}
