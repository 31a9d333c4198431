import BinnacleBasics

/// Writes an epoch as UBX messages, byte by byte as in the interface description.
///
/// The encoder shares no code with the `UBX` module: a second implementation of the documents reveals errors in the
/// first.
enum EpochEncoder {
  /// The complete frame of a UBX output; nil for a sentence.
  static func frame(_ message: OutputMessage, of epoch: Epoch, generation: Generation) -> [UInt8]? {
    let address = message.address
    let payload: [UInt8]
    switch message {
    case .navPVT: payload = navPVT(epoch, generation)
    case .navSTATUS: payload = navSTATUS(epoch, generation)
    case .navSAT: payload = navSAT(epoch)
    case .navDOP: payload = navDOP(epoch)
    case .navEOE: payload = navEOE(epoch)
    case .secSIG: payload = secSIG(epoch)
    case .navPOSECEF: payload = navPOSECEF(epoch)
    case .navPOSLLH: payload = navPOSLLH(epoch)
    case .navVELECEF: payload = navVELECEF(epoch)
    case .navVELNED: payload = navVELNED(epoch)
    case .navSOL: payload = navSOL(epoch, generation)
    case .navTIMEGPS: payload = navTIMEGPS(epoch)
    case .navTIMEUTC: payload = navTIMEUTC(epoch, generation)
    case .navTIMELS: payload = navTIMELS(epoch)
    case .navCLOCK: payload = navCLOCK(epoch)
    case .navSVINFO: payload = navSVINFO(epoch, generation)
    case .navCOV: payload = navCOV(epoch)
    case .gga, .gll, .gsa, .gsv, .rmc, .vtg, .gst, .zda: return nil
    }
    return ReceiverFrame.ubx(address.messageClass, address.id, payload)
  }

  /// UBX-NAV-PVT, 92 bytes, on u-blox 7 84 bytes (UBX-21035062; Docs/SOURCES.md, U1).
  private static func navPVT(_ epoch: Epoch, _ generation: Generation) -> [UInt8] {
    var writer = ByteWriter()
    let calendar = epoch.shownSecond.calendar
    writer.u32(epoch.iTOWMilliseconds)
    writer.u16(UInt16(calendar.year))
    for field in [
      calendar.month, calendar.day, calendar.hour, calendar.minute, calendar.second,
    ] {
      writer.u8(UInt8(field))
    }
    var valid = generation.undocumentedValidBits
    if epoch.isDateValid { valid |= 1 }
    if epoch.isTimeValid { valid |= 2 }
    if epoch.isFullyResolved { valid |= 4 }
    writer.u8(valid)
    writer.u32(epoch.timeAccuracyNanoseconds)
    writer.i32(epoch.nano)
    writer.u8(epoch.fixType)
    writer.u8(epoch.isFixOK ? 1 : 0)
    writer.u8(generation.flags2(isConfirmed: epoch.isFullyResolved))
    writer.u8(UInt8(epoch.usedCount))
    writer.i32(epoch.longitudeE7)
    writer.i32(epoch.latitudeE7)
    writer.i32(epoch.heightMillimeters)
    writer.i32(epoch.heightMSLMillimeters)
    writer.u32(epoch.horizontalAccuracyMillimeters)
    writer.u32(epoch.verticalAccuracyMillimeters)
    writer.i32(epoch.velocityNorth)
    writer.i32(epoch.velocityEast)
    writer.i32(epoch.velocityDown)
    writer.i32(epoch.groundSpeed)
    writer.i32(epoch.headingOfMotionE5)
    writer.u32(epoch.speedAccuracy)
    writer.u32(epoch.headingAccuracyE5)
    writer.u16(epoch.positionDOPE2)
    // flags3: invalidLlh stays 0 in every epoch without a fix of all recordings (Docs/SOURCES.md, U4).
    writer.u16(0)
    writer.put([UInt8](repeating: 0, count: generation.navPVTLength - 80))
    return writer.bytes
  }

  /// UBX-NAV-STATUS, 16 bytes.
  private static func navSTATUS(_ epoch: Epoch, _ generation: Generation) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.u8(epoch.fixType)
    writer.u8(
      (epoch.isFixOK ? 1 : 0) | (epoch.isDateValid ? 4 : 0) | (epoch.isTimeValid ? 8 : 0))
    writer.u8(0)
    writer.u8(generation.hasSpoofingState ? epoch.spoofingInEpoch << 3 : 0)
    writer.u32(epoch.timeToFirstFixMilliseconds)
    writer.u32(epoch.upTimeMilliseconds)
    return writer.bytes
  }

  /// UBX-NAV-SAT, 8 + 12 n bytes.
  ///
  /// The flags are those of gpsd-m10-spg510-glo.log for used (191F), tracked (1214) and searched (1211) satellites.
  private static func navSAT(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.u8(1)
    writer.u8(UInt8(epoch.satellites.count))
    writer.u16(0)
    for satellite in epoch.satellites {
      writer.u8(satellite.system.rawValue)
      writer.u8(satellite.number)
      writer.u8(satellite.signal)
      writer.i8(satellite.elevation)
      writer.i16(satellite.azimuth)
      writer.i16(satellite.isUsed ? 3 : 0)
      let flags: UInt32 =
        satellite.isUsed ? 0x191F : satellite.signal > 0 ? 0x1214 : 0x1211
      writer.u32(flags)
    }
    return writer.bytes
  }

  /// UBX-NAV-DOP, 18 bytes.
  private static func navDOP(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    let position = Int(epoch.positionDOPE2)
    let horizontal = epoch.horizontalDOPE2
    let isUnknown = position == 9_999
    func dilution(_ value: Int) -> UInt16 { isUnknown ? 9_999 : UInt16(value) }
    for value in [
      position * 115 / 100, position, position * 57 / 100, epoch.verticalDOPE2, horizontal,
      horizontal * 7 / 10, horizontal * 7 / 10,
    ] {
      writer.u16(dilution(value))
    }
    return writer.bytes
  }

  /// UBX-SEC-SIG, version 1, 12 bytes (UBX-23002975; recording pyubx2-sec.log): both detectors are on.
  private static func secSIG(_ epoch: Epoch) -> [UInt8] {
    [1, 0, 0, 0, 1 | epoch.jammingState << 1, 0, 0, 0, 1 | epoch.spoofingState << 1, 0, 0, 0]
  }

  /// UBX-NAV-EOE, 4 bytes.
  private static func navEOE(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    return writer.bytes
  }
}
