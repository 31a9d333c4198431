/// A generation of receivers, with what its documents and recordings say of it.
public enum Generation: String, CaseIterable, Codable, Sendable {
  /// u-blox M8 with ROM 3.01: protocol 18.00, the older configuration messages.
  case m8
  /// u-blox M10 with ROM SPG 5.10: protocol 34.10, key-value configuration only.
  case m10

  /// MON-VER swVersion (M8: recording gpsd-ublox8-uniqid-monhw.log; M10: the version that owners of SPG 5.10
  /// modules report).
  var software: String {
    switch self {
    case .m8: "ROM CORE 3.01 (107888)"
    case .m10: "ROM SPG 5.10 (7b202e)"
    }
  }

  /// MON-VER hwVersion (`ublox.md` section 1.5).
  var hardware: String {
    switch self {
    case .m8: "00080000"
    case .m10: "000A0000"
    }
  }

  /// MON-VER extension strings, 30 bytes each on the wire (sources as for `software`).
  var extensions: [String] {
    switch self {
    case .m8: ["FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]
    case .m10: ["FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]
    }
  }

  /// The notices that are sent as GNTXT after every start (M8: recording pyubx2-mixed.log; M10: the shape that
  /// M9 owners' logs show).
  var bootNotices: [String] {
    switch self {
    case .m8:
      ["u-blox AG - www.u-blox.com", "HW UBX-M8030 \(hardware)", software] + extensions
    case .m10:
      ["u-blox AG - www.u-blox.com", "HW UBX 10 \(hardware)", software] + extensions
    }
  }

  /// The speed as delivered, in baud: 9600 for M8 and for the M10 modules SAM-M10Q and MAX-M10S
  /// (`ublox.md` section 3.1, data sheets).
  var factorySpeed: UInt32 { 9_600 }

  /// Whether CFG-PRT, CFG-MSG, CFG-RATE, CFG-NAV5 and CFG-CFG are known (`ublox.md` section 1.5: absent from the
  /// M10 documents).
  var hasLegacyConfiguration: Bool { self == .m8 }

  /// Whether CFG-VALSET, CFG-VALGET and CFG-VALDEL are known (protocol above 23.01, `ublox.md` section 1.4).
  var hasValueConfiguration: Bool { self == .m10 }

  /// Whether the flag "force" must be set for RXM-PMREQ to be obeyed (`ublox.md` section 5.2, SAM-M10Q).
  var needsForcedStandby: Bool { self == .m10 }

  /// Seconds to the first fix from a cold start (M8: SAM-M8Q 26 to 29 s; M10: MAX-M10S and SAM-M10Q 23 to 29 s,
  /// `ublox.md` section 5.1).
  var coldStartSeconds: ClosedRange<Double> {
    switch self {
    case .m8: 26...32
    case .m10: 23...30
    }
  }

  /// Seconds from a warm start: almanac and time are there, the ephemerides are downloaded again, which takes 18
  /// to 36 s under strong signals (`ublox.md` section 5.2).
  var warmStartSeconds: ClosedRange<Double> { 18...28 }

  /// Seconds from a hot start (`ublox.md` section 5.1: 1 s).
  var hotStartSeconds: ClosedRange<Double> { 0.9...2.4 }

  /// Bits 4 to 7 of NAV-PVT valid, which no document explains: as recorded (gpsd-m10-spg510-glo.log 103,
  /// pyubx2-mixed.log 55).
  var undocumentedValidBits: UInt8 {
    switch self {
    case .m8: 0x30
    case .m10: 0x60
    }
  }

  /// NAV-PVT flags2 of a receiver that has confirmed date and time, and before (M8 never shows confirmation in
  /// pyubx2-mixed.log: 10; M10 230 in gpsd-m10-spg510-glo.log, 36 before in gnssvis-coldstart.ubx).
  func flags2(isConfirmed: Bool) -> UInt8 {
    switch self {
    case .m8: 0x0A
    case .m10: isConfirmed ? 0xE6 : 0x24
    }
  }

  /// The satellites systems that are on as delivered (M8: GPS and GLONASS; M10: all four), by gnssId.
  var systems: [SatelliteSystem] {
    switch self {
    case .m8: [.gps, .glonass]
    case .m10: [.gps, .glonass, .galileo, .beidou]
    }
  }

  /// The order of an epoch's messages on the line.
  ///
  /// M8: NAV-PVT, SAT, DOP of gpsd-neo-m8p.log and gpsd-navisys-gr8013.log, NMEA after UBX in
  /// gpsd-ublox8-uniqid-monhw.log. M10: PVT, SAT, DOP, EOE of gpsd-m10-spg510-glo.log; NMEA stands between PVT
  /// and SAT in gpsd-zed-f9r.log. NAV-EOE is the last in all. The order inside NMEA is that of
  /// gpsd-ublox8-uniqid-monhw.log and gpsd-neo-m9n-nmea.log. NAV-STATUS after NAV-SAT,
  /// NAV-SOL first, and the places of POSLLH, VELNED and TIMEUTC: pyubx2-mixed.log; the M10's TIMEUTC as in
  /// gpsd-zed-f9p-hp.log. A message that is not in the order is one that the generation lacks: NAV-SOL is gone
  /// since M9, for the M10's POSLLH and VELNED `ublox.md` knows no keys.
  var epochOrder: [OutputMessage] {
    let sentences: [OutputMessage] = [.rmc, .vtg, .gga, .gsa, .gsv, .gll]
    switch self {
    case .m8:
      return [
        .navSOL, .navPVT, .navSAT, .navSTATUS, .navPOSLLH, .navDOP, .navVELNED, .navTIMEUTC,
      ] + sentences + [.navEOE]
    case .m10: return [.navPVT] + sentences + [.navSAT, .navSTATUS, .navDOP, .navTIMEUTC, .navEOE]
    }
  }
}

/// A satellite system, by its gnssId of NAV-SAT.
public enum SatelliteSystem: UInt8, Codable, Sendable {
  case gps = 0
  case galileo = 2
  case beidou = 3
  case glonass = 6

  /// The talker of its GSV sentences (recording gpsd-neo-m9n-nmea.log).
  var talker: String {
    switch self {
    case .gps: "GP"
    case .galileo: "GA"
    case .beidou: "GB"
    case .glonass: "GL"
    }
  }

  /// The system number at the end of GSA sentences of NMEA 4.10 (recording gpsd-neo-m9n-nmea.log).
  var sentenceNumber: Int {
    switch self {
    case .gps: 1
    case .glonass: 2
    case .galileo: 3
    case .beidou: 4
    }
  }

  /// The signal number at the end of GSV sentences of NMEA 4.10 (recording gpsd-neo-m9n-nmea.log).
  var signalNumber: Int { self == .galileo ? 7 : 1 }

  /// What NMEA adds to a satellite's number (GLONASS slots are 65 and up).
  var sentenceOffset: Int { self == .glonass ? 64 : 0 }
}

/// A message that the simulated receiver sends in every so many epochs.
public enum OutputMessage: CaseIterable, Codable, Sendable {
  case navPVT, navSTATUS, navSAT, navDOP, navPOSLLH, navVELNED, navSOL, navTIMEUTC, navEOE
  case gga, gll, gsa, gsv, rmc, vtg

  /// Class and id; NMEA sentences have the class F0 in CFG-MSG.
  var address: (messageClass: UInt8, id: UInt8) {
    switch self {
    case .navPVT: (0x01, 0x07)
    case .navSTATUS: (0x01, 0x03)
    case .navSAT: (0x01, 0x35)
    case .navDOP: (0x01, 0x04)
    case .navPOSLLH: (0x01, 0x02)
    case .navVELNED: (0x01, 0x12)
    case .navSOL: (0x01, 0x06)
    case .navTIMEUTC: (0x01, 0x21)
    case .navEOE: (0x01, 0x61)
    case .gga: (0xF0, 0x00)
    case .gll: (0xF0, 0x01)
    case .gsa: (0xF0, 0x02)
    case .gsv: (0xF0, 0x03)
    case .rmc: (0xF0, 0x04)
    case .vtg: (0xF0, 0x05)
    }
  }

  /// The CFG-MSGOUT key of UART1 (`ublox.md` section 1.4).
  ///
  /// POSLLH, VELNED and SOL have numbers of the simulation's own: only the M8 sends them, without keys on the wire.
  var key: UInt32 {
    switch self {
    case .navPVT: 0x2091_0007
    case .navSTATUS: 0x2091_001B
    case .navSAT: 0x2091_0016
    case .navDOP: 0x2091_0039
    case .navPOSLLH: 0x2091_F002
    case .navVELNED: 0x2091_F012
    case .navSOL: 0x2091_F006
    case .navTIMEUTC: 0x2091_005C
    case .navEOE: 0x2091_0160
    case .gga: 0x2091_00BB
    case .gll: 0x2091_00CA
    case .gsa: 0x2091_00C0
    case .gsv: 0x2091_00C5
    case .rmc: 0x2091_00AC
    case .vtg: 0x2091_00B1
    }
  }

  var isSentence: Bool { address.messageClass == 0xF0 }
}
