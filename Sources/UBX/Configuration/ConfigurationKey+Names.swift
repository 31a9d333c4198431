/// The named keys of the configuration interface.
///
/// The ids are those of "Configuration interface" in the interface descriptions of M10 SPG 5.10 (UBX-21035062), F10 SPG
/// 6.00 (UBX-23002975) and F9 HPG L1L5 1.40 (UBX-23006991).
extension ConfigurationKey {
  /// CFG-UART1-BAUDRATE.
  public static let uart1Baudrate = ConfigurationKey(rawValue: 0x4052_0001)
  /// CFG-UART1-STOPBITS.
  public static let uart1StopBits = ConfigurationKey(rawValue: 0x2052_0002)
  /// CFG-UART1-DATABITS.
  public static let uart1DataBits = ConfigurationKey(rawValue: 0x2052_0003)
  /// CFG-UART1-PARITY.
  public static let uart1Parity = ConfigurationKey(rawValue: 0x2052_0004)
  /// CFG-UART1-ENABLED.
  public static let uart1Enabled = ConfigurationKey(rawValue: 0x1052_0005)
  /// CFG-UART1INPROT-UBX.
  public static let uart1InputUBX = ConfigurationKey(rawValue: 0x1073_0001)
  /// CFG-UART1INPROT-NMEA.
  public static let uart1InputNMEA = ConfigurationKey(rawValue: 0x1073_0002)
  /// CFG-UART1INPROT-RTCM3X.
  public static let uart1InputRTCM3X = ConfigurationKey(rawValue: 0x1073_0004)
  /// CFG-UART1OUTPROT-UBX.
  public static let uart1OutputUBX = ConfigurationKey(rawValue: 0x1074_0001)
  /// CFG-UART1OUTPROT-NMEA.
  public static let uart1OutputNMEA = ConfigurationKey(rawValue: 0x1074_0002)
  /// CFG-UART1OUTPROT-RTCM3X.
  public static let uart1OutputRTCM3X = ConfigurationKey(rawValue: 0x1074_0004)
  /// CFG-I2C-ADDRESS.
  public static let i2cAddress = ConfigurationKey(rawValue: 0x2051_0001)
  /// CFG-I2C-EXTENDEDTIMEOUT.
  public static let i2cExtendedTimeout = ConfigurationKey(rawValue: 0x1051_0002)
  /// CFG-I2C-ENABLED.
  public static let i2cEnabled = ConfigurationKey(rawValue: 0x1051_0003)
  /// CFG-I2CINPROT-UBX.
  public static let i2cInputUBX = ConfigurationKey(rawValue: 0x1071_0001)
  /// CFG-I2CINPROT-NMEA.
  public static let i2cInputNMEA = ConfigurationKey(rawValue: 0x1071_0002)
  /// CFG-I2COUTPROT-UBX.
  public static let i2cOutputUBX = ConfigurationKey(rawValue: 0x1072_0001)
  /// CFG-I2COUTPROT-NMEA.
  public static let i2cOutputNMEA = ConfigurationKey(rawValue: 0x1072_0002)
  /// CFG-USBINPROT-UBX.
  public static let usbInputUBX = ConfigurationKey(rawValue: 0x1077_0001)
  /// CFG-USBOUTPROT-UBX.
  public static let usbOutputUBX = ConfigurationKey(rawValue: 0x1078_0001)
  /// CFG-USBOUTPROT-NMEA.
  public static let usbOutputNMEA = ConfigurationKey(rawValue: 0x1078_0002)
  /// CFG-TXREADY-ENABLED.
  public static let txReadyEnabled = ConfigurationKey(rawValue: 0x10A2_0001)
  /// CFG-TXREADY-POLARITY.
  public static let txReadyPolarity = ConfigurationKey(rawValue: 0x10A2_0002)
  /// CFG-TXREADY-PIN.
  public static let txReadyPin = ConfigurationKey(rawValue: 0x20A2_0003)
  /// CFG-TXREADY-THRESHOLD.
  public static let txReadyThreshold = ConfigurationKey(rawValue: 0x30A2_0004)
  /// CFG-TXREADY-INTERFACE.
  public static let txReadyInterface = ConfigurationKey(rawValue: 0x20A2_0005)
  /// CFG-RATE-MEAS.
  public static let rateMeasurement = ConfigurationKey(rawValue: 0x3021_0001)
  /// CFG-RATE-NAV.
  public static let rateNavigation = ConfigurationKey(rawValue: 0x3021_0002)
  /// CFG-RATE-TIMEREF.
  public static let rateTimeReference = ConfigurationKey(rawValue: 0x2021_0003)
  /// CFG-MSGOUT-UBX_NAV_PVT_UART1.
  public static let messageNavPVT = ConfigurationKey(rawValue: 0x2091_0007)
  /// CFG-MSGOUT-UBX_NAV_STATUS_UART1.
  public static let messageNavSTATUS = ConfigurationKey(rawValue: 0x2091_001B)
  /// CFG-MSGOUT-UBX_NAV_SAT_UART1.
  public static let messageNavSAT = ConfigurationKey(rawValue: 0x2091_0016)
  /// CFG-MSGOUT-UBX_NAV_DOP_UART1.
  public static let messageNavDOP = ConfigurationKey(rawValue: 0x2091_0039)
  /// CFG-MSGOUT-UBX_NAV_POSLLH_UART1.
  public static let messageNavPOSLLH = ConfigurationKey(rawValue: 0x2091_002A)
  /// CFG-MSGOUT-UBX_NAV_VELNED_UART1.
  public static let messageNavVELNED = ConfigurationKey(rawValue: 0x2091_0043)
  /// CFG-MSGOUT-UBX_NAV_TIMEUTC_UART1.
  public static let messageNavTIMEUTC = ConfigurationKey(rawValue: 0x2091_005C)
  /// CFG-MSGOUT-UBX_NAV_TIMELS_UART1.
  public static let messageNavTIMELS = ConfigurationKey(rawValue: 0x2091_0061)
  /// CFG-MSGOUT-UBX_NAV_HPPOSLLH_UART1.
  public static let messageNavHPPOSLLH = ConfigurationKey(rawValue: 0x2091_0034)
  /// CFG-MSGOUT-UBX_NAV_EOE_UART1.
  public static let messageNavEOE = ConfigurationKey(rawValue: 0x2091_0160)
  /// CFG-MSGOUT-UBX_NAV_COV_UART1.
  public static let messageNavCOV = ConfigurationKey(rawValue: 0x2091_0084)
  /// CFG-MSGOUT-UBX_MON_RF_UART1.
  public static let messageMonRF = ConfigurationKey(rawValue: 0x2091_035A)
  /// CFG-MSGOUT-UBX_MON_COMMS_UART1.
  public static let messageMonCOMMS = ConfigurationKey(rawValue: 0x2091_0350)
  /// CFG-MSGOUT-UBX_MON_RXR_UART1.
  public static let messageMonRXR = ConfigurationKey(rawValue: 0x2091_0188)
  /// CFG-MSGOUT-UBX_SEC_SIG_UART1.
  public static let messageSecSIG = ConfigurationKey(rawValue: 0x2091_0635)
  /// CFG-MSGOUT-NMEA_ID_GGA_UART1.
  public static let messageNMEAGGA = ConfigurationKey(rawValue: 0x2091_00BB)
  /// CFG-MSGOUT-NMEA_ID_GLL_UART1.
  public static let messageNMEAGLL = ConfigurationKey(rawValue: 0x2091_00CA)
  /// CFG-MSGOUT-NMEA_ID_GSA_UART1.
  public static let messageNMEAGSA = ConfigurationKey(rawValue: 0x2091_00C0)
  /// CFG-MSGOUT-NMEA_ID_GSV_UART1.
  public static let messageNMEAGSV = ConfigurationKey(rawValue: 0x2091_00C5)
  /// CFG-MSGOUT-NMEA_ID_GST_UART1.
  public static let messageNMEAGST = ConfigurationKey(rawValue: 0x2091_00D4)
  /// CFG-MSGOUT-NMEA_ID_RMC_UART1.
  public static let messageNMEARMC = ConfigurationKey(rawValue: 0x2091_00AC)
  /// CFG-MSGOUT-NMEA_ID_VTG_UART1.
  public static let messageNMEAVTG = ConfigurationKey(rawValue: 0x2091_00B1)
  /// CFG-INFMSG-NMEA_UART1.
  public static let informationNMEA = ConfigurationKey(rawValue: 0x2092_0007)
  /// CFG-NAVSPG-DYNMODEL.
  public static let dynamicModel = ConfigurationKey(rawValue: 0x2011_0021)
  /// CFG-NAVSPG-FIXMODE.
  public static let fixMode = ConfigurationKey(rawValue: 0x2011_0011)
  /// CFG-NAVSPG-INIFIX3D.
  public static let initialFix3D = ConfigurationKey(rawValue: 0x1011_0013)
  /// CFG-NAVSPG-ACKAIDING.
  public static let acknowledgeAiding = ConfigurationKey(rawValue: 0x1011_0025)
  /// CFG-NAVSPG-OUTFIL_PACC.
  public static let outputFilterPositionAccuracy = ConfigurationKey(rawValue: 0x3011_00B3)
  /// CFG-NAVSPG-OUTFIL_TACC.
  public static let outputFilterTimeAccuracy = ConfigurationKey(rawValue: 0x3011_00B4)
  /// CFG-NAVSPG-OUTFIL_PDOP.
  public static let outputFilterPositionDOP = ConfigurationKey(rawValue: 0x3011_00B1)
  /// CFG-MOT-GNSSSPEED_THRS.
  public static let staticHoldSpeed = ConfigurationKey(rawValue: 0x2025_0038)
  /// CFG-MOT-GNSSDIST_THRS.
  public static let staticHoldDistance = ConfigurationKey(rawValue: 0x3025_003B)
  /// CFG-ODO-USE_COG.
  public static let odometerUseCourse = ConfigurationKey(rawValue: 0x1022_0002)
  /// CFG-ODO-OUTLPCOG.
  public static let odometerLowPassCourse = ConfigurationKey(rawValue: 0x1022_0004)
  /// CFG-ODO-COGMAXSPEED.
  public static let odometerCourseSpeedMax = ConfigurationKey(rawValue: 0x2022_0021)
  /// CFG-ODO-COGMAXPOSACC.
  public static let odometerCourseAccuracyMax = ConfigurationKey(rawValue: 0x2022_0022)
  /// CFG-ODO-COGLPGAIN.
  public static let odometerCourseGain = ConfigurationKey(rawValue: 0x2022_0032)
  /// CFG-ITFM-ENABLE.
  public static let interferenceMonitor = ConfigurationKey(rawValue: 0x1041_000D)
  /// CFG-SEC-JAMDET_SENSITIVITY_HI.
  public static let jammingSensitivityHigh = ConfigurationKey(rawValue: 0x10F6_0051)
  /// CFG-PM-OPERATEMODE.
  public static let powerMode = ConfigurationKey(rawValue: 0x20D0_0001)
  /// CFG-PM-POSUPDATEPERIOD.
  public static let powerUpdatePeriod = ConfigurationKey(rawValue: 0x40D0_0002)
  /// CFG-PM-ACQPERIOD.
  public static let powerAcquisitionPeriod = ConfigurationKey(rawValue: 0x40D0_0003)
  /// CFG-PM-GRIDOFFSET.
  public static let powerGridOffset = ConfigurationKey(rawValue: 0x40D0_0004)
  /// CFG-PM-ONTIME.
  public static let powerOnTime = ConfigurationKey(rawValue: 0x30D0_0005)
  /// CFG-PM-MINACQTIME.
  public static let powerAcquisitionTimeMin = ConfigurationKey(rawValue: 0x20D0_0006)
  /// CFG-PM-MAXACQTIME.
  public static let powerAcquisitionTimeMax = ConfigurationKey(rawValue: 0x20D0_0007)
  /// CFG-PM-DONOTENTEROFF.
  public static let powerDoNotEnterOff = ConfigurationKey(rawValue: 0x10D0_0008)
  /// CFG-PM-WAITTIMEFIX.
  public static let powerWaitTimeFix = ConfigurationKey(rawValue: 0x10D0_0009)
  /// CFG-PM-UPDATEEPH.
  public static let powerUpdateEphemeris = ConfigurationKey(rawValue: 0x10D0_000A)
  /// CFG-PM-EXTINTWAKE.
  public static let powerInterruptWakes = ConfigurationKey(rawValue: 0x10D0_000C)
  /// CFG-PM-EXTINTBACKUP.
  public static let powerInterruptBackup = ConfigurationKey(rawValue: 0x10D0_000D)
  /// CFG-PM-EXTINTINACTIVE.
  public static let powerInterruptInactive = ConfigurationKey(rawValue: 0x10D0_000E)
  /// CFG-PM-EXTINTINACTIVITY.
  public static let powerInterruptInactivity = ConfigurationKey(rawValue: 0x40D0_000F)
  /// CFG-PM-LIMITPEAKCURR.
  public static let powerLimitPeakCurrent = ConfigurationKey(rawValue: 0x10D0_0010)
  /// CFG-SIGNAL-GPS_ENA.
  public static let signalGPS = ConfigurationKey(rawValue: 0x1031_001F)
  /// CFG-SIGNAL-SBAS_ENA.
  public static let signalSBAS = ConfigurationKey(rawValue: 0x1031_0020)
  /// CFG-SIGNAL-GAL_ENA.
  public static let signalGalileo = ConfigurationKey(rawValue: 0x1031_0021)
  /// CFG-SIGNAL-BDS_ENA.
  public static let signalBeiDou = ConfigurationKey(rawValue: 0x1031_0022)
  /// CFG-SIGNAL-QZSS_ENA.
  public static let signalQZSS = ConfigurationKey(rawValue: 0x1031_0024)
  /// CFG-SIGNAL-GLO_ENA.
  public static let signalGLONASS = ConfigurationKey(rawValue: 0x1031_0025)
  /// CFG-SIGNAL-GPS_L1CA_ENA.
  public static let signalGPSL1CA = ConfigurationKey(rawValue: 0x1031_0001)
  /// CFG-SIGNAL-GAL_E1_ENA.
  public static let signalGalileoE1 = ConfigurationKey(rawValue: 0x1031_0007)
  /// CFG-SIGNAL-BDS_B1_ENA.
  public static let signalBeiDouB1 = ConfigurationKey(rawValue: 0x1031_000D)
  /// CFG-SIGNAL-BDS_B1C_ENA.
  public static let signalBeiDouB1C = ConfigurationKey(rawValue: 0x1031_000F)
  /// CFG-SIGNAL-GLO_L1_ENA.
  public static let signalGLONASSL1 = ConfigurationKey(rawValue: 0x1031_0018)
  /// CFG-TP-TP1_ENA.
  public static let timePulseEnabled = ConfigurationKey(rawValue: 0x1005_0007)
  /// CFG-TP-USE_LOCKED_TP1.
  public static let timePulseUseLocked = ConfigurationKey(rawValue: 0x1005_0009)
  /// CFG-TP-PERIOD_TP1.
  public static let timePulsePeriod = ConfigurationKey(rawValue: 0x4005_0002)
  /// CFG-TP-PERIOD_LOCK_TP1.
  public static let timePulsePeriodLocked = ConfigurationKey(rawValue: 0x4005_0003)
  /// CFG-TP-LEN_LOCK_TP1.
  public static let timePulseLengthLocked = ConfigurationKey(rawValue: 0x4005_0005)
  /// CFG-TP-TIMEGRID_TP1.
  public static let timePulseTimeGrid = ConfigurationKey(rawValue: 0x2005_000C)

  /// Every named key with the document's name.
  static let names: [(key: ConfigurationKey, name: String)] = [
    (.uart1Baudrate, "CFG-UART1-BAUDRATE"),
    (.uart1StopBits, "CFG-UART1-STOPBITS"),
    (.uart1DataBits, "CFG-UART1-DATABITS"),
    (.uart1Parity, "CFG-UART1-PARITY"),
    (.uart1Enabled, "CFG-UART1-ENABLED"),
    (.uart1InputUBX, "CFG-UART1INPROT-UBX"),
    (.uart1InputNMEA, "CFG-UART1INPROT-NMEA"),
    (.uart1InputRTCM3X, "CFG-UART1INPROT-RTCM3X"),
    (.uart1OutputUBX, "CFG-UART1OUTPROT-UBX"),
    (.uart1OutputNMEA, "CFG-UART1OUTPROT-NMEA"),
    (.uart1OutputRTCM3X, "CFG-UART1OUTPROT-RTCM3X"),
    (.i2cAddress, "CFG-I2C-ADDRESS"),
    (.i2cExtendedTimeout, "CFG-I2C-EXTENDEDTIMEOUT"),
    (.i2cEnabled, "CFG-I2C-ENABLED"),
    (.i2cInputUBX, "CFG-I2CINPROT-UBX"),
    (.i2cInputNMEA, "CFG-I2CINPROT-NMEA"),
    (.i2cOutputUBX, "CFG-I2COUTPROT-UBX"),
    (.i2cOutputNMEA, "CFG-I2COUTPROT-NMEA"),
    (.usbInputUBX, "CFG-USBINPROT-UBX"),
    (.usbOutputUBX, "CFG-USBOUTPROT-UBX"),
    (.usbOutputNMEA, "CFG-USBOUTPROT-NMEA"),
    (.txReadyEnabled, "CFG-TXREADY-ENABLED"),
    (.txReadyPolarity, "CFG-TXREADY-POLARITY"),
    (.txReadyPin, "CFG-TXREADY-PIN"),
    (.txReadyThreshold, "CFG-TXREADY-THRESHOLD"),
    (.txReadyInterface, "CFG-TXREADY-INTERFACE"),
    (.rateMeasurement, "CFG-RATE-MEAS"),
    (.rateNavigation, "CFG-RATE-NAV"),
    (.rateTimeReference, "CFG-RATE-TIMEREF"),
    (.messageNavPVT, "CFG-MSGOUT-UBX_NAV_PVT_UART1"),
    (.messageNavSTATUS, "CFG-MSGOUT-UBX_NAV_STATUS_UART1"),
    (.messageNavSAT, "CFG-MSGOUT-UBX_NAV_SAT_UART1"),
    (.messageNavDOP, "CFG-MSGOUT-UBX_NAV_DOP_UART1"),
    (.messageNavPOSLLH, "CFG-MSGOUT-UBX_NAV_POSLLH_UART1"),
    (.messageNavVELNED, "CFG-MSGOUT-UBX_NAV_VELNED_UART1"),
    (.messageNavTIMEUTC, "CFG-MSGOUT-UBX_NAV_TIMEUTC_UART1"),
    (.messageNavTIMELS, "CFG-MSGOUT-UBX_NAV_TIMELS_UART1"),
    (.messageNavHPPOSLLH, "CFG-MSGOUT-UBX_NAV_HPPOSLLH_UART1"),
    (.messageNavEOE, "CFG-MSGOUT-UBX_NAV_EOE_UART1"),
    (.messageNavCOV, "CFG-MSGOUT-UBX_NAV_COV_UART1"),
    (.messageMonRF, "CFG-MSGOUT-UBX_MON_RF_UART1"),
    (.messageMonCOMMS, "CFG-MSGOUT-UBX_MON_COMMS_UART1"),
    (.messageMonRXR, "CFG-MSGOUT-UBX_MON_RXR_UART1"),
    (.messageSecSIG, "CFG-MSGOUT-UBX_SEC_SIG_UART1"),
    (.messageNMEAGGA, "CFG-MSGOUT-NMEA_ID_GGA_UART1"),
    (.messageNMEAGLL, "CFG-MSGOUT-NMEA_ID_GLL_UART1"),
    (.messageNMEAGSA, "CFG-MSGOUT-NMEA_ID_GSA_UART1"),
    (.messageNMEAGSV, "CFG-MSGOUT-NMEA_ID_GSV_UART1"),
    (.messageNMEAGST, "CFG-MSGOUT-NMEA_ID_GST_UART1"),
    (.messageNMEARMC, "CFG-MSGOUT-NMEA_ID_RMC_UART1"),
    (.messageNMEAVTG, "CFG-MSGOUT-NMEA_ID_VTG_UART1"),
    (.informationNMEA, "CFG-INFMSG-NMEA_UART1"),
    (.dynamicModel, "CFG-NAVSPG-DYNMODEL"),
    (.fixMode, "CFG-NAVSPG-FIXMODE"),
    (.initialFix3D, "CFG-NAVSPG-INIFIX3D"),
    (.acknowledgeAiding, "CFG-NAVSPG-ACKAIDING"),
    (.outputFilterPositionAccuracy, "CFG-NAVSPG-OUTFIL_PACC"),
    (.outputFilterTimeAccuracy, "CFG-NAVSPG-OUTFIL_TACC"),
    (.outputFilterPositionDOP, "CFG-NAVSPG-OUTFIL_PDOP"),
    (.staticHoldSpeed, "CFG-MOT-GNSSSPEED_THRS"),
    (.staticHoldDistance, "CFG-MOT-GNSSDIST_THRS"),
    (.odometerUseCourse, "CFG-ODO-USE_COG"),
    (.odometerLowPassCourse, "CFG-ODO-OUTLPCOG"),
    (.odometerCourseSpeedMax, "CFG-ODO-COGMAXSPEED"),
    (.odometerCourseAccuracyMax, "CFG-ODO-COGMAXPOSACC"),
    (.odometerCourseGain, "CFG-ODO-COGLPGAIN"),
    (.interferenceMonitor, "CFG-ITFM-ENABLE"),
    (.jammingSensitivityHigh, "CFG-SEC-JAMDET_SENSITIVITY_HI"),
    (.powerMode, "CFG-PM-OPERATEMODE"),
    (.powerUpdatePeriod, "CFG-PM-POSUPDATEPERIOD"),
    (.powerAcquisitionPeriod, "CFG-PM-ACQPERIOD"),
    (.powerGridOffset, "CFG-PM-GRIDOFFSET"),
    (.powerOnTime, "CFG-PM-ONTIME"),
    (.powerAcquisitionTimeMin, "CFG-PM-MINACQTIME"),
    (.powerAcquisitionTimeMax, "CFG-PM-MAXACQTIME"),
    (.powerDoNotEnterOff, "CFG-PM-DONOTENTEROFF"),
    (.powerWaitTimeFix, "CFG-PM-WAITTIMEFIX"),
    (.powerUpdateEphemeris, "CFG-PM-UPDATEEPH"),
    (.powerInterruptWakes, "CFG-PM-EXTINTWAKE"),
    (.powerInterruptBackup, "CFG-PM-EXTINTBACKUP"),
    (.powerInterruptInactive, "CFG-PM-EXTINTINACTIVE"),
    (.powerInterruptInactivity, "CFG-PM-EXTINTINACTIVITY"),
    (.powerLimitPeakCurrent, "CFG-PM-LIMITPEAKCURR"),
    (.signalGPS, "CFG-SIGNAL-GPS_ENA"),
    (.signalSBAS, "CFG-SIGNAL-SBAS_ENA"),
    (.signalGalileo, "CFG-SIGNAL-GAL_ENA"),
    (.signalBeiDou, "CFG-SIGNAL-BDS_ENA"),
    (.signalQZSS, "CFG-SIGNAL-QZSS_ENA"),
    (.signalGLONASS, "CFG-SIGNAL-GLO_ENA"),
    (.signalGPSL1CA, "CFG-SIGNAL-GPS_L1CA_ENA"),
    (.signalGalileoE1, "CFG-SIGNAL-GAL_E1_ENA"),
    (.signalBeiDouB1, "CFG-SIGNAL-BDS_B1_ENA"),
    (.signalBeiDouB1C, "CFG-SIGNAL-BDS_B1C_ENA"),
    (.signalGLONASSL1, "CFG-SIGNAL-GLO_L1_ENA"),
    (.timePulseEnabled, "CFG-TP-TP1_ENA"),
    (.timePulseUseLocked, "CFG-TP-USE_LOCKED_TP1"),
    (.timePulsePeriod, "CFG-TP-PERIOD_TP1"),
    (.timePulsePeriodLocked, "CFG-TP-PERIOD_LOCK_TP1"),
    (.timePulseLengthLocked, "CFG-TP-LEN_LOCK_TP1"),
    (.timePulseTimeGrid, "CFG-TP-TIMEGRID_TP1"),
  ]
}
