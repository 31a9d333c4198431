public import BinnacleBasics
public import BinnaclePosix

/// The reason why the daemon cannot start: the exit status, and a sentence for a person.
public typealias StartFailure = Fault<ExitStatus>
