/// A message that a simulated receiver sends once in a set number of epochs.
public enum OutputMessage: CaseIterable, Codable, Sendable {
  case navPOSECEF, navPOSLLH, navSTATUS, navDOP, navSOL, navPVT, navVELECEF, navVELNED
  case navTIMEGPS, navTIMEUTC, navCLOCK, navTIMELS, navSVINFO, navSAT, navCOV, navEOE, secSIG
  case gga, gll, gsa, gsv, rmc, vtg, gst, zda

  /// Class and id; NMEA sentences have the class F0 in CFG-MSG.
  public var address: (messageClass: UInt8, id: UInt8) {
    switch self {
    case .navPOSECEF: (0x01, 0x01)
    case .navPOSLLH: (0x01, 0x02)
    case .navSTATUS: (0x01, 0x03)
    case .navDOP: (0x01, 0x04)
    case .navSOL: (0x01, 0x06)
    case .navPVT: (0x01, 0x07)
    case .navVELECEF: (0x01, 0x11)
    case .navVELNED: (0x01, 0x12)
    case .navTIMEGPS: (0x01, 0x20)
    case .navTIMEUTC: (0x01, 0x21)
    case .navCLOCK: (0x01, 0x22)
    case .navTIMELS: (0x01, 0x26)
    case .navSVINFO: (0x01, 0x30)
    case .navSAT: (0x01, 0x35)
    case .navCOV: (0x01, 0x36)
    case .navEOE: (0x01, 0x61)
    case .secSIG: (0x27, 0x09)
    case .gga: (0xF0, 0x00)
    case .gll: (0xF0, 0x01)
    case .gsa: (0xF0, 0x02)
    case .gsv: (0xF0, 0x03)
    case .rmc: (0xF0, 0x04)
    case .vtg: (0xF0, 0x05)
    case .gst: (0xF0, 0x07)
    case .zda: (0xF0, 0x08)
    }
  }

  /// The CFG-MSGOUT key of UART1 (UBX-21035062, CFG-MSGOUT; other keys in UBX-22008968, CFG-MSGOUT).
  ///
  /// SOL and SVINFO have key numbers that only the simulation defines: only generations without keys on the wire send
  /// them.
  public var key: UInt32 {
    switch self {
    case .navPOSECEF: 0x2091_0025
    case .navPOSLLH: 0x2091_002A
    case .navSTATUS: 0x2091_001B
    case .navDOP: 0x2091_0039
    case .navSOL: 0x2091_F006
    case .navPVT: 0x2091_0007
    case .navVELECEF: 0x2091_003E
    case .navVELNED: 0x2091_0043
    case .navTIMEGPS: 0x2091_0048
    case .navTIMEUTC: 0x2091_005C
    case .navCLOCK: 0x2091_0066
    case .navTIMELS: 0x2091_0061
    case .navSVINFO: 0x2091_F030
    case .navSAT: 0x2091_0016
    case .navCOV: 0x2091_0084
    case .navEOE: 0x2091_0160
    case .secSIG: 0x2091_0635
    case .gga: 0x2091_00BB
    case .gll: 0x2091_00CA
    case .gsa: 0x2091_00C0
    case .gsv: 0x2091_00C5
    case .rmc: 0x2091_00AC
    case .vtg: 0x2091_00B1
    case .gst: 0x2091_00D4
    case .zda: 0x2091_00D9
    }
  }

  public var isSentence: Bool { address.messageClass == 0xF0 }

  /// The rate of the message as delivered: 1 for every epoch, 0 for off.
  var factoryRate: UInt64 {
    switch self {
    case .gga, .gll, .gsa, .gsv, .rmc, .vtg: 1
    case .gst, .zda, .navPOSECEF, .navPOSLLH, .navSTATUS, .navDOP, .navSOL, .navPVT, .navVELECEF,
      .navVELNED, .navTIMEGPS, .navTIMEUTC, .navCLOCK, .navTIMELS, .navSVINFO, .navSAT, .navCOV,
      .navEOE, .secSIG:
      0
    }
  }
}
