public import BinnacleBasics
public import BinnaclePosix

/// Why the daemon cannot start: the status that it ends with, and a sentence for a person.
public typealias StartFailure = Fault<ExitStatus>
