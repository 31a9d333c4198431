public import StateLog

/// The disk of a log under test: a simulated disk, or a layer between the log and a simulated disk.
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
