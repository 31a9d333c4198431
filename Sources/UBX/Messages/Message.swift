/// A message of the three protocols.
///
/// Messages that the daemon, the simulated receiver or the command line uses have a type.
public enum Message: Equatable, Sendable {
  case navPVT(NavPVT)
  case navSTATUS(NavSTATUS)
  case navSAT(NavSAT)
  case navSVINFO(NavSVINFO)
  case navDOP(NavDOP)
  case navEOE(NavEOE)
  case navHPPOSLLH(NavHPPOSLLH)
  case navSOL(NavSOL)
  case navPOSLLH(NavPOSLLH)
  case navVELNED(NavVELNED)
  case navTIMEUTC(NavTIMEUTC)
  case navTIMEGPS(NavTIMEGPS)
  case monVER(MonVER)
  case secSIG(SecSIG)
  case secUNIQID(SecUNIQID)
  case mgaDBD(MgaDBD)
  case mgaACK(MgaACK)
  case mgaINITimeUTC(MgaINITimeUTC)
  case mgaINIPositionLLH(MgaINIPositionLLH)
  case ackACK(AckACK)
  case ackNAK(AckNAK)
  case cfgVALSET(CfgVALSET)
  case cfgVALGET(CfgVALGET)
  case cfgVALGETPoll(CfgVALGETPoll)
  case cfgPRT(CfgPRT)
  case cfgRATE(CfgRATE)
  case cfgMSG(CfgMSG)
  case cfgNAV5(CfgNAV5)
  case cfgCFG(CfgCFG)
  case cfgRST(CfgRST)
  case rxmPMREQ(RxmPMREQ)
  case inf(InfText)
  /// A poll, as the simulated receiver receives it.
  case poll(Poll)
  case nmea(NMEASentence)
  /// An RTCM 3 message; its content is ignored.
  case rtcm(messageNumber: UInt16, payloadLength: Int)
  /// A UBX message without its own type, or with an unsupported length or version.
  case other(messageClass: UInt8, id: UInt8, payloadLength: Int)

  /// Reads a UBX message.
  public init(messageClass: UInt8, id: UInt8, payload: [UInt8]) {
    self = payload.withUnsafeBytes { bytes in
      Message(.ubx(messageClass: messageClass, id: id), Payload(bytes))
    }
  }

  /// Reads a frame's message.
  init(_ kind: Frame.Kind, _ payload: Payload) {
    switch kind {
    case .nmea: self = .nmea(NMEASentence(payload))
    case .rtcm(let number): self = .rtcm(messageNumber: number, payloadLength: payload.count)
    case .ubx(let messageClass, let id):
      let typed =
        Message.poll(messageClass, id, payload)
        ?? Message.navigation(messageClass, id, payload)
        ?? Message.configuration(messageClass, id, payload)
        ?? Message.assistance(messageClass, id, payload)
        ?? Message.remaining(messageClass, id, payload)
      self =
        typed
        ?? .other(messageClass: messageClass, id: id, payloadLength: payload.count)
    }
  }

  private static func poll(_ messageClass: UInt8, _ id: UInt8, _ payload: Payload) -> Message? {
    switch (messageClass, id, payload.count) {
    case (InfText.messageClass, _, 0): nil
    case (_, _, 0), (CfgPRT.messageClass, CfgPRT.messageID, 1),
      (CfgMSG.messageClass, CfgMSG.messageID, 2):
      .poll(Poll(messageClass: messageClass, messageID: id, selector: payload.array()))
    case _: nil
    }
  }

  private static func navigation(
    _ messageClass: UInt8, _ id: UInt8, _ payload: Payload
  ) -> Message? {
    guard messageClass == 0x01 else { return nil }
    switch id {
    case NavPVT.messageID: return NavPVT(payload).map(Message.navPVT)
    case NavSTATUS.messageID: return NavSTATUS(payload).map(Message.navSTATUS)
    case NavSAT.messageID: return NavSAT(payload).map(Message.navSAT)
    case NavSVINFO.messageID: return NavSVINFO(payload).map(Message.navSVINFO)
    case NavDOP.messageID: return NavDOP(payload).map(Message.navDOP)
    case NavEOE.messageID: return NavEOE(payload).map(Message.navEOE)
    case NavHPPOSLLH.messageID: return NavHPPOSLLH(payload).map(Message.navHPPOSLLH)
    case NavSOL.messageID: return NavSOL(payload).map(Message.navSOL)
    case NavPOSLLH.messageID: return NavPOSLLH(payload).map(Message.navPOSLLH)
    case NavVELNED.messageID: return NavVELNED(payload).map(Message.navVELNED)
    case NavTIMEUTC.messageID: return NavTIMEUTC(payload).map(Message.navTIMEUTC)
    case NavTIMEGPS.messageID: return NavTIMEGPS(payload).map(Message.navTIMEGPS)
    case _: return nil
    }
  }

  private static func configuration(
    _ messageClass: UInt8, _ id: UInt8, _ payload: Payload
  ) -> Message? {
    guard messageClass == 0x06 else { return nil }
    switch id {
    case CfgVALSET.messageID: return CfgVALSET(payload).map(Message.cfgVALSET)
    case CfgVALGET.messageID:
      return CfgVALGET(payload).map(Message.cfgVALGET)
        ?? CfgVALGETPoll(payload).map(Message.cfgVALGETPoll)
    case CfgPRT.messageID: return CfgPRT(payload).map(Message.cfgPRT)
    case CfgRATE.messageID: return CfgRATE(payload).map(Message.cfgRATE)
    case CfgMSG.messageID: return CfgMSG(payload).map(Message.cfgMSG)
    case CfgNAV5.messageID: return CfgNAV5(payload).map(Message.cfgNAV5)
    case CfgCFG.messageID: return CfgCFG(payload).map(Message.cfgCFG)
    case CfgRST.messageID: return CfgRST(payload).map(Message.cfgRST)
    case _: return nil
    }
  }

  private static func assistance(
    _ messageClass: UInt8, _ id: UInt8, _ payload: Payload
  ) -> Message? {
    guard messageClass == 0x13 else { return nil }
    switch id {
    case MgaDBD.messageID: return MgaDBD(payload).map(Message.mgaDBD)
    case MgaACK.messageID: return MgaACK(payload).map(Message.mgaACK)
    case MgaINITimeUTC.messageID:
      return MgaINITimeUTC(payload).map(Message.mgaINITimeUTC)
        ?? MgaINIPositionLLH(payload).map(Message.mgaINIPositionLLH)
    case _: return nil
    }
  }

  private static func remaining(
    _ messageClass: UInt8, _ id: UInt8, _ payload: Payload
  ) -> Message? {
    switch (messageClass, id) {
    case (AckACK.messageClass, AckACK.messageID): return AckACK(payload).map(Message.ackACK)
    case (AckNAK.messageClass, AckNAK.messageID): return AckNAK(payload).map(Message.ackNAK)
    case (MonVER.messageClass, MonVER.messageID): return MonVER(payload).map(Message.monVER)
    case (SecSIG.messageClass, SecSIG.messageID): return SecSIG(payload).map(Message.secSIG)
    case (SecUNIQID.messageClass, SecUNIQID.messageID):
      return SecUNIQID(payload).map(Message.secUNIQID)
    case (RxmPMREQ.messageClass, RxmPMREQ.messageID):
      return RxmPMREQ(payload).map(Message.rxmPMREQ)
    case (InfText.messageClass, _):
      return InfText.Level(rawValue: id).map { .inf(InfText(level: $0, payload)) }
    case _: return nil
    }
  }
}

extension Message {
  /// The message as its UBX type writes it; nil for text, polls, RTCM and messages without a type.
  public var typed: (any UBXMessage)? {
    switch self {
    case .navPVT(let message): message
    case .navSTATUS(let message): message
    case .navSAT(let message): message
    case .navSVINFO(let message): message
    case .navDOP(let message): message
    case .navEOE(let message): message
    case .navHPPOSLLH(let message): message
    case .navSOL(let message): message
    case .navPOSLLH(let message): message
    case .navVELNED(let message): message
    case .navTIMEUTC(let message): message
    case .navTIMEGPS(let message): message
    case .monVER(let message): message
    case .secSIG(let message): message
    case .secUNIQID(let message): message
    case .mgaDBD(let message): message
    case .mgaACK(let message): message
    case .mgaINITimeUTC(let message): message
    case .mgaINIPositionLLH(let message): message
    case .ackACK(let message): message
    case .ackNAK(let message): message
    case .cfgVALSET(let message): message
    case .cfgVALGET(let message): message
    case .cfgVALGETPoll(let message): message
    case .cfgPRT(let message): message
    case .cfgRATE(let message): message
    case .cfgMSG(let message): message
    case .cfgNAV5(let message): message
    case .cfgCFG(let message): message
    case .cfgRST(let message): message
    case .rxmPMREQ(let message): message
    case .inf, .poll, .nmea, .rtcm, .other: nil
    }
  }
}
