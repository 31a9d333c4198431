public import StateLog

/// What a log is tried on: a simulated disk, or something between the log and such a disk.
public protocol StateDisk: BlockFile {
  init(on disk: SimulatedDisk)
  var disk: SimulatedDisk { get set }
}

extension SimulatedDisk: StateDisk {
  public init(on disk: SimulatedDisk) {
    self = disk
  }

  public var disk: SimulatedDisk {
    get { self }
    set { self = newValue }
  }
}
