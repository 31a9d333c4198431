/// What some receivers do otherwise than u-blox's documents say, as users report it.
public enum ReceiverOddity: String, CaseIterable, Codable, Sendable {
  /// It acknowledges requests to sleep and stays awake (`ublox.md` section 5.2: SparkFun v3 #42, #70, where the form was
  /// the wrong one; here with every form).
  case ignoresSleep = "ignores-sleep"
  /// Asleep, it hears nothing on its line: a clone that returns when its time is up and not before (Meshtastic #2851).
  case deafAsleep = "deaf-asleep"
  /// Its line picks up noise, which wakes it (`ublox.md` section 5.2: "so does a noisy RX line").
  case noisyLine = "noisy-line"
  /// It takes about a second or two to answer after a start (ubxlib allows 2 s, `ublox.md` section 5.2).
  case slowStart = "slow-start"
}
