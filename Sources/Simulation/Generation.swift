/// A generation of receivers, with the facts from its documents and recordings.
public enum Generation: String, CaseIterable, Codable, Sendable {
  /// u-blox 6 with ROM 7.03: no NAV-PVT, no protocol version in MON-VER, the older configuration messages.
  case six = "6"
  /// u-blox 7 with ROM 1.00: protocol 14.00, NAV-PVT of 84 bytes, the older configuration messages.
  case seven = "7"
  /// u-blox M8 with ROM 3.01: protocol 18.00, the older configuration messages.
  case m8
  /// u-blox M10 with ROM SPG 5.10: protocol 34.10, key-value configuration only.
  case m10
  /// u-blox M10 with ROM SPG 5.30: protocol 34.30, like `m10` but with SEC-SIG.
  case m10SPG530 = "m10-5.30"

  /// MON-VER swVersion.
  ///
  /// 6: the owners' logs that show `bootNotices`. 7: header of recording gpsd-gen7-gr701w-fixloss.log. M8:
  /// gpsd-ublox8-uniqid-monhw.log. M10: the version that owners of SPG 5.10 modules report. No report of SPG 5.30 was
  /// found, so the build number of SPG 5.30 is left out.
  var software: String {
    switch self {
    case .six: "7.03 (45969)"
    case .seven: "1.00 (59842)"
    case .m8: "ROM CORE 3.01 (107888)"
    case .m10: "ROM SPG 5.10 (7b202e)"
    case .m10SPG530: "ROM SPG 5.30"
    }
  }

  /// MON-VER hwVersion (Docs/SOURCES.md, U7).
  var hardware: String {
    switch self {
    case .six: "00040007"
    case .seven: "00070000"
    case .m8: "00080000"
    case .m10, .m10SPG530: "000A0000"
    }
  }

  /// MON-VER extension strings, 30 bytes each on the wire (sources as for `software`).
  var extensions: [String] {
    switch self {
    case .six: []
    case .seven: ["PROTVER 14.00", "GPS;SBAS;GLO;QZSS"]
    case .m8: ["FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]
    case .m10: ["FWVER=SPG 5.10", "PROTVER=34.10", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]
    case .m10SPG530: ["FWVER=SPG 5.30", "PROTVER=34.30", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]
    }
  }

  /// The notices that the receiver sends as TXT after every start.
  ///
  /// Sources: owners' logs for 6 and 7; recording pyubx2-mixed.log for M8; the form in M9 owners' logs for M10.
  var bootNotices: [String] {
    switch self {
    case .six:
      [
        "u-blox ag - www.u-blox.com", "HW  UBX-G60xx  \(hardware) FF7FFFFFp",
        "ROM CORE \(software) Mar 17 2011 16:18:34", "ANTSUPERV=AC SD PDoS SR",
        "ANTSTATUS=DONTKNOW",
      ]
    case .seven:
      [
        "u-blox ag - www.u-blox.com", "HW  UBX-G70xx   \(hardware) FFFFFFFFo",
        "ROM CORE \(software) Jun 27 2012 17:43:52", "PROTVER 14.00", "ANTSUPERV=AC SD PDoS SR",
        "ANTSTATUS=OK",
      ]
    case .m8:
      ["u-blox AG - www.u-blox.com", "HW UBX-M8030 \(hardware)", software] + extensions
    case .m10, .m10SPG530:
      ["u-blox AG - www.u-blox.com", "HW UBX 10 \(hardware)", software] + extensions
    }
  }

  /// The talker of all sentences except GSV: GN stands for several systems together.
  var talker: String { systems.count == 1 ? "GP" : "GN" }

  /// The speed as delivered, in baud.
  ///
  /// 9600 for 6, 7, M8 and for the M10 modules SAM-M10Q and MAX-M10S (Docs/SOURCES.md, U3).
  var factorySpeed: UInt32 { 9_600 }

  /// The shortest time between epochs in milliseconds.
  ///
  /// 100 ms up to u-blox 7: NEO-6 accepts 10 Hz although its data sheet says 5 Hz (iNavFlight/inav #48). 25 ms since M8
  /// (interface description, CFG-RATE-MEAS).
  var shortestPeriodMilliseconds: UInt64 {
    switch self {
    case .six, .seven: 100
    case .m8, .m10, .m10SPG530: 25
    }
  }

  /// Whether the receiver knows CFG-PRT, CFG-MSG, CFG-RATE, CFG-NAV5 and CFG-CFG.
  ///
  /// The M10 documents, such as UBX-21035062, do not contain these messages.
  var hasLegacyConfiguration: Bool { !hasValueConfiguration }

  /// Whether the receiver knows CFG-VALSET, CFG-VALGET and CFG-VALDEL (protocol above 23.01, Docs/SOURCES.md, U6).
  var hasValueConfiguration: Bool {
    switch self {
    case .six, .seven, .m8: false
    case .m10, .m10SPG530: true
    }
  }

  /// Whether the receiver knows RXM-PMREQ of 16 bytes (Docs/SOURCES.md, U7).
  var knowsLongStandbyRequest: Bool {
    switch self {
    case .six, .seven: false
    case .m8, .m10, .m10SPG530: true
    }
  }

  /// Whether the receiver obeys RXM-PMREQ only with the flag "force" (Docs/SOURCES.md, U5, SAM-M10Q).
  var needsForcedStandby: Bool { hasValueConfiguration }

  /// Whether transfers to the receiver's I2C address wake the receiver.
  ///
  /// SAM-M10Q does not wake on I2C, and M8 seems to wake (Docs/SOURCES.md, U2). No source covers earlier generations.
  var wakesOnI2C: Bool { self == .m8 }

  /// Whether the receiver knows MGA-INI, MGA-DBD and SEC-UNIQID (Docs/SOURCES.md, U7).
  ///
  /// 6 and 7 have AID-* instead; the simulation has no AID-*.
  var hasAssistance: Bool {
    switch self {
    case .six, .seven: false
    case .m8, .m10, .m10SPG530: true
    }
  }

  /// The number of bytes in the unique number of SEC-UNIQID.
  var uniqueNumberBytes: Int { hasValueConfiguration ? 6 : 5 }

  /// Whether NAV-STATUS reports a spoofing state (protocol 18 and later, Docs/SOURCES.md, U1).
  var hasSpoofingState: Bool {
    switch self {
    case .six, .seven: false
    case .m8, .m10, .m10SPG530: true
    }
  }

  /// The length of NAV-PVT in bytes (Docs/SOURCES.md, U1: without headVeh and magDec before M8).
  var navPVTLength: Int { self == .seven ? 84 : 92 }

  /// NAV-SVINFO globalFlags chipGen.
  ///
  /// 7 and M8: recordings gpsd-gen7-gr701w-fixloss.log and gpsd-ublox8-uniqid-monhw.log. 6: the number before that of
  /// 7.
  var chipGeneration: UInt8 {
    switch self {
    case .six: 2
    case .seven: 3
    case .m8, .m10, .m10SPG530: 4
    }
  }

  /// The reserved bytes of NAV-SOL at 46 and 48.
  ///
  /// 7: gpsd-gen7-gr701w-fixloss.log. M8: pyubx2-mixed.log. 6: zeros, because there is no recording.
  var reservedOfSOL: (UInt8, UInt32) {
    switch self {
    case .six: (0, 0)
    case .seven: (3, 0x0001_D384)
    case .m8, .m10, .m10SPG530: (2, 0x0003_4AE0)
    }
  }

  /// Seconds to the first fix from a cold start.
  ///
  /// 6 and 7: data sheets, 26 to 30 s. M8: SAM-M8Q 26 to 29 s. M10: MAX-M10S and SAM-M10Q 23 to 29 s
  /// (Docs/SOURCES.md, U5).
  var coldStartSeconds: ClosedRange<Double> {
    switch self {
    case .six, .seven, .m8: 26...32
    case .m10, .m10SPG530: 23...30
    }
  }

  /// Seconds to the first fix from a warm start.
  ///
  /// Almanac and time are known. The receiver downloads the ephemerides again, which takes 18 to 36 s under strong
  /// signals (Docs/SOURCES.md, U5).
  var warmStartSeconds: ClosedRange<Double> { 18...28 }

  /// Seconds to the first fix from a hot start (Docs/SOURCES.md, U5: 1 s).
  var hotStartSeconds: ClosedRange<Double> { 0.9...2.4 }

  /// Bits 4 to 7 of NAV-PVT valid, which no document explains.
  ///
  /// The values are recorded: gpsd-m10-spg510-glo.log 103, pyubx2-mixed.log 55. In NAV-TIMEUTC the same bits hold the
  /// standard of UTC, which came with M8.
  var undocumentedValidBits: UInt8 {
    switch self {
    case .six, .seven: 0
    case .m8: 0x30
    case .m10, .m10SPG530: 0x60
    }
  }

  /// NAV-PVT flags2, after and before the receiver has confirmed date and time.
  ///
  /// flags2 is reserved before M8. M8 never shows a confirmation in pyubx2-mixed.log: 10. M10: 230 in
  /// gpsd-m10-spg510-glo.log, and 36 before the confirmation in gnssvis-coldstart.ubx.
  func flags2(isConfirmed: Bool) -> UInt8 {
    switch self {
    case .six, .seven: 0
    case .m8: 0x0A
    case .m10, .m10SPG530: isConfirmed ? 0xE6 : 0x24
    }
  }

  /// The satellite systems that are on as delivered (6 and 7: GPS; M8: GPS and GLONASS; M10: all four).
  var systems: [SatelliteSystem] {
    switch self {
    case .six, .seven: [.gps]
    case .m8: [.gps, .glonass]
    case .m10, .m10SPG530: [.gps, .glonass, .galileo, .beidou]
    }
  }

  /// The messages of an epoch, in their order on the line.
  ///
  /// The receiver refuses a rate for any other message.
  ///
  /// 7: SOL, SVINFO, DOP, TIMEGPS, CLOCK as in gpsd-gen7-gr701w-fixloss.log. There is no recording of 6, so 6 has the
  /// order of 7. M8: SOL, PVT, SVINFO, SAT, POSECEF, DOP, VELECEF, TIMEGPS and then the sentences, as in
  /// gpsd-ublox8-uniqid-monhw.log. M10: PVT, POSECEF, VELECEF, SAT, DOP, TIMEGPS, EOE as in gpsd-m10-spg510-glo.log.
  /// The sentences follow VELECEF, and CLOCK follows TIMEGPS, as in gpsd-zed-f9r.log. TIMEUTC, TIMELS as in
  /// gpsd-zed-f9p-hp.log. STATUS, POSLLH and VELNED stand between them as in pyubx2-mixed.log and pyubx2-badck2.log.
  /// The order of the sentences is that of gpsd-ublox8-uniqid-monhw.log and gpsd-neo-m9n-nmea.log. NAV-EOE is the last
  /// message of its class in all recordings. No recording shows the place of SEC-SIG in an epoch.
  var epochOrder: [OutputMessage] {
    let sentences: [OutputMessage] = [.rmc, .vtg, .gga, .gsa, .gsv, .gll, .gst, .zda]
    let middle: [OutputMessage] = [
      .navSTATUS, .navPOSECEF, .navPOSLLH, .navDOP, .navVELECEF, .navVELNED, .navTIMEGPS,
      .navTIMEUTC,
    ]
    switch self {
    case .six: return [.navSOL, .navSVINFO] + middle + [.navCLOCK] + sentences
    case .seven: return [.navSOL, .navPVT, .navSVINFO] + middle + [.navCLOCK] + sentences
    case .m8:
      return [.navSOL, .navPVT, .navSVINFO, .navSAT] + middle + [.navTIMELS, .navCLOCK] + sentences
        + [.navEOE]
    case .m10, .m10SPG530:
      let modern: [OutputMessage] =
        [.navPVT, .navPOSECEF, .navVELECEF] + sentences + [
          .navSAT, .navSTATUS, .navPOSLLH, .navDOP, .navVELNED, .navTIMEGPS, .navTIMEUTC,
          .navTIMELS, .navCLOCK, .navCOV, .navEOE,
        ]
      return self == .m10 ? modern : modern + [.secSIG]
    }
  }
}
