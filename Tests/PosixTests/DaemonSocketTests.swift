import Glibc
import TestSupport
import Testing

@testable import BinnaclePosix

/// A client uses the daemon of root, of the service's user and of its own user, and of no other.
struct DaemonSocketTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func rootTheServiceAndTheOwnUserAreTrusted() {
    func isTrusted(_ user: UInt32, service: UInt32? = 990) -> Bool {
      DaemonSocket.isTrusted(user, ownUserID: 1_000) { service }
    }
    #expect(isTrusted(0) && isTrusted(990) && isTrusted(1_000))
    #expect(!isTrusted(1_001) && !isTrusted(65_534))
    #expect(!isTrusted(990, service: nil))
  }

  @Test func aDaemonOfTheOwnUserIsConnectedTo() throws {
    let listener = try LocalListener(path: directory("s"), mode: 0o600)
    let client = try DaemonSocket.connect(to: directory("s"))
    #expect(try listener.accept() != nil)
    _ = client
  }

  @Test(.enabled(if: Environment.userID == 0, "only root may listen as another user"))
  func aSocketOfAnotherUserIsRefusedInASentence() throws {
    try Files.makeDirectory(directory("open"), mode: 0o777)
    #expect(chmod(directory.path, 0o755) == 0)
    let listening = try ChildProcess(
      "setpriv",
      [
        "--reuid=12345", "--clear-groups", "perl", "-MSocket", "-e",
        "socket(S,AF_UNIX,SOCK_SEQPACKET,0); bind(S,pack_sockaddr_un($ARGV[0])) or die; listen(S,5); sleep 600",
        directory("open/s"),
      ])
    defer { listening.kill() }
    let path = directory("open/s")
    var found: SystemError?
    _ = try eventually {
      found = DaemonSocketTests.refusal(of: path)
      return found?.errno == .untrustedServer
    }
    let refusal = try #require(found)
    #expect(refusal.errno == .untrustedServer)
    #expect(
      refusal.description.contains("user 12345 (process \(listening.processID)) listens there"))
  }

  /// Why a connection fails; nil when it does not.
  private static func refusal(of path: String) -> SystemError? {
    do throws(SystemError) {
      _ = try DaemonSocket.connect(to: path)
      return nil
    } catch {
      return error
    }
  }
}
