import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

struct ServiceNotifierTests {
  @Test(arguments: ["path", "abstract"])
  func statesAreSentToSystemd(kind: String) throws {
    let directory = try TemporaryDirectory()
    let name =
      kind == "path" ? directory("notify") : "@binnacle-test-\(Environment.processID)"
    let script = """
      my $n = $ARGV[0]; $n =~ s/^@/\\0/; socket(S, AF_UNIX, SOCK_DGRAM, 0);
      bind(S, pack_sockaddr_un($n)) or die; $| = 1; print "bound\\n";
      for (1..4) { recv(S, my $m, 1000, 0); $m =~ s/\\n/ /g; print "$m\\n" }
      """
    let listener = try ChildProcess(
      "perl", ["-MSocket", "-e", script, name], output: .pipe)
    try expectOutput(of: listener, "bound\n")
    let notifier = ServiceNotifier(
      environment: { ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "2000000"][$0] }, processID: 1)
    #expect(notifier.watchdogLimit == .seconds(2))
    notifier.ready(status: "two\nlines")
    notifier.alive()
    notifier.alive(waiting: .seconds(20))
    notifier.stopping()
    try expectOutput(
      of: listener,
      "READY=1 STATUS=two?lines\nWATCHDOG=1\nWATCHDOG=1 WATCHDOG_USEC=20000000\nSTOPPING=1\n")
  }

  @Test(.timeLimit(.minutes(5)))
  func aServiceManagerThatDoesNotReadDoesNotBlockTheDaemon() throws {
    let name = "@binnacle-test-deaf-\(Environment.processID)"
    let script = """
      my $n = $ARGV[0]; $n =~ s/^@/\\0/; socket(S, AF_UNIX, SOCK_DGRAM, 0);
      bind(S, pack_sockaddr_un($n)) or die; $| = 1; print "bound\\n"; sleep 200
      """
    let listener = try ChildProcess(
      "perl", ["-MSocket", "-e", script, name], output: .pipe)
    defer { listener.signal(.terminate) }
    try expectOutput(of: listener, "bound\n")
    let notifier = ServiceNotifier(
      environment: { ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "2000000"][$0] }, processID: 1)
    for _ in 0..<2_000 { notifier.alive() }
    notifier.ready(status: "")
    notifier.stopping()
    // The listening child still runs and does not read: the notifier did not wait for its end.
    #expect(try listener.wait(limit: .zero) == nil)
  }

  @Test func aWatchdogOfAnotherProcessIsIgnored() {
    func limit(_ variables: [String: String]) -> Interval? {
      ServiceNotifier(environment: { variables[$0] }, processID: 42).watchdogLimit
    }
    #expect(limit(["WATCHDOG_USEC": "5", "WATCHDOG_PID": "42"]) == .microseconds(5))
    #expect(limit(["WATCHDOG_USEC": "5", "WATCHDOG_PID": "43"]) == nil)
    #expect(limit(["WATCHDOG_USEC": "nonsense"]) == nil)
    #expect(limit(["WATCHDOG_USEC": "9223372036854775807"]) == nil)
    #expect(limit([:]) == nil)
  }

  @Test func withoutAServiceManagerNoReportIsSent() {
    ServiceNotifier(environment: { _ in nil }, processID: 1).ready(status: "")
  }

  private func expectOutput(of child: ChildProcess, _ expected: String) throws {
    var poll = Poll()
    poll.set(child.outputDescriptor, .reading)
    var seen: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_000)
    while seen.count < expected.utf8.count {
      try #require(try poll.wait(until: Clock.now + .seconds(60)) > 0)
      let count = try #require(try child.readOutput(into: &buffer))
      try #require(count > 0)
      seen += buffer[..<count]
    }
    #expect(String(decoding: seen, as: UTF8.self) == expected)
  }
}
