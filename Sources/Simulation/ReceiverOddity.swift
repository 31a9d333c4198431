/// The behaviours of some receivers that deviate from u-blox's documents, as users report them.
public enum ReceiverOddity: String, CaseIterable, Codable, Sendable {
  /// The receiver acknowledges requests to sleep and stays awake.
  ///
  /// In the reports (Docs/SOURCES.md, U5) the form of the request was wrong; here every form is ignored.
  case ignoresSleep = "ignores-sleep"
  /// Asleep, the receiver ignores its line: a clone that returns only when its time is over (Meshtastic #2851).
  case deafAsleep = "deaf-asleep"
  /// The receiver's line picks up noise, which wakes the receiver (Docs/SOURCES.md, U5).
  case noisyLine = "noisy-line"
  /// The receiver answers one or two seconds after a start (ubxlib allows 2 s, Docs/SOURCES.md, U5).
  case slowStart = "slow-start"
  /// The receiver acknowledges and obeys every command, and answers no poll of a setting, not even with ACK or NAK.
  ///
  /// The receiver reports its version. Source: an owner's report of a receiver that stayed permanently mute once
  /// CFG-PRT had turned its sentences off.
  case answersNoPoll = "answers-no-poll"
  /// Like `answersNoPoll`, but of all commands the receiver obeys only the one that turns its sentences on or off.
  case obeysPortOnly = "obeys-port-only"
  /// The wire to the receiver's RX is missing: the receiver sends and gets no command.
  case hearsNothing = "hears-nothing"
}
