import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

@testable import Daemon

/// A process that passes its connection on to another process, and ends.
struct PassedConnectionTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A program in Perl that connects as an operator (`SPEC-wire.md`, `helloInRole`), and passes its connection to a child process.
  ///
  /// Its second argument is `updates` (the parent opens a sequence, waits for a location, and ends) or `request` (the parent
  /// ends after the greeting, and the child opens the sequence). The child prints each message that it gets: `location`,
  /// or the reason of the final `refused`.
  private static let program = """
    use Socket; $| = 1; $SIG{PIPE} = 'IGNORE';
    socket(my $s, AF_UNIX, SOCK_SEQPACKET, 0) or die; connect($s, sockaddr_un($ARGV[0])) or die;
    sub say1 { send($s, $_[0], 0) or die; }
    # An unread request at the end of the connection is an error before the last message.
    sub hear { my $m = ''; for (1..2) { return $m if defined(recv($s, $m, 65536, 0)); } die; }
    sub isFix { my ($m) = @_; return ord(substr($m, 0, 1)) == 131 && ord(substr($m, 7, 1)) != 0; }
    my $open = pack('C V C', 2, 1, 0);
    say1(pack('C a4 v v v a4 C', 0x35, 'BNCL', 7, 7, 4, 'perl', 1));
    my $welcome = hear();
    if ($ARGV[1] eq 'updates') { say1($open); 1 until isFix(hear()); }
    my $parent = $$;
    exit 0 if fork;
    select(undef, undef, undef, 0.05) while getppid() == $parent;
    # The daemon may have refused the connection already.
    send($s, $open, 0) if $ARGV[1] eq 'request';
    for (;;) {
      my $m = hear();
      last if $m eq '';
      print "location\\n" if isFix($m);
      if (ord(substr($m, 0, 1)) == 130 && ord(substr($m, 1, 1)) == 1) { print "refused ", ord(substr($m, 2, 1)), "\\n"; last; }
    }
    """

  private func output(_ way: String) throws -> [Substring] {
    let receiver = try RunningReceiver(path: directory("receiver"))
    let daemon = try RunningDaemon(receiver: directory("receiver"), directory: directory)
    let child = try ChildProcess(
      "perl", ["-e", Self.program, daemon.socketPath, way], output: .pipe)
    var output = ""
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let hasEnded = try eventually { () throws -> Bool in
      while let count = try child.readOutput(into: &chunk), count > 0 {
        output += String(decoding: chunk[..<count], as: UTF8.self)
      }
      return output.contains("refused")
    }
    #expect(hasEnded, "\(output)")
    withExtendedLifetime(receiver) {}
    return output.split(separator: "\n")
  }

  @Test func aProcessGetsNoLocationsOfAProcessThatHasEnded() throws {
    let lines = try output("updates")
    #expect(lines.last == "refused 7")
    // The daemon checks the process at most once a second.
    #expect(lines.count <= 3, "\(lines)")
  }

  @Test func aProcessMakesNoRequestAsAProcessThatHasEnded() throws {
    #expect(try output("request") == ["refused 7"])
  }

  @Test func theProcessOfAnOpenConnectionHasNotEnded() throws {
    let (near, far) = try LocalSocket.pair()
    let process = try PeerProcess(of: near).handle()
    #expect(process.isAlive)
    withExtendedLifetime(far) {}
  }
}
