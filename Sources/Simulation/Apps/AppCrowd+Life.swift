import BinnacleModel

extension AppCrowd {
  /// A process with its objects, so that it can take them up again after the daemon's end.
  struct Life: Sendable {
    var client: ClientID
    let app: Int
    let hasTerminal: Bool
    let file: ProgramFile?
    /// The number of the process; 0 before it has connected.
    var processID: Int32 = 0
    var sequences: [(id: SequenceID, configuration: LiveConfiguration)] = []
    var sessions: [(id: SessionID, session: AppSession)] = []
    /// Whether the process hangs: it does nothing until the daemon drops it.
    var isHung = false
  }
}

extension AppCrowd.Life {
  /// The next process of the same program, which makes the same objects.
  init(again life: AppCrowd.Life, hasTerminal: Bool) {
    self = AppCrowd.Life(
      client: life.client, app: life.app, hasTerminal: hasTerminal, file: life.file,
      sequences: life.sequences, sessions: life.sessions)
  }
}
