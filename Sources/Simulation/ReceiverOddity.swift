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
  /// It acknowledges every order and obeys it, and answers no poll of a setting, not even by an acknowledgement; it says
  /// who it is (an owner's report of a receiver that was mute for good once CFG-PRT had turned its sentences off).
  case answersNoPoll = "answers-no-poll"
  /// The same, and of all orders it obeys only the one that turns its sentences on or off.
  case obeysPortOnly = "obeys-port-only"
}
