import BinnaclePosix
import TestSupport
import Testing

struct RuntimeDirectoryTests {
  private func lookup(_ variables: [String: String]) -> RuntimeDirectory.Lookup {
    { variables[$0] }
  }

  @Test func theRuntimeDirectoryFollowsOptionAndEnvironment() {
    let xdg = lookup(["XDG_RUNTIME_DIR": "/run/user/7", "BINNACLE_RUNTIME": "/no"])
    func directory(_ option: String?, _ user: UInt32, _ at: RuntimeDirectory.Lookup) -> String {
      RuntimeDirectory.ofDaemon(option: option, userID: user, environment: at)
    }
    #expect(directory("/x", 0, xdg) == "/x")
    #expect(directory(nil, 0, xdg) == "/run/binnacle")
    #expect(directory(nil, 7, xdg) == "/run/user/7/binnacle")
    #expect(directory(nil, 7, lookup([:])) == "/tmp/binnacle-7")
    #expect(directory(nil, 7, lookup(["XDG_RUNTIME_DIR": "relative"])) == "/tmp/binnacle-7")
  }

  @Test func theStateDirectoryFollowsOptionAndEnvironment() {
    func state(_ option: String?, _ user: UInt32, _ variables: [String: String]) -> String {
      RuntimeDirectory.stateOfDaemon(
        option: option, userID: user, environment: lookup(variables))
    }
    #expect(state("/x", 0, [:]) == "/x")
    #expect(state(nil, 0, ["HOME": "/root"]) == "/var/lib/binnacle")
    #expect(state(nil, 7, ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/binnacle")
    #expect(state(nil, 7, ["HOME": "/h"]) == "/h/.local/state/binnacle")
  }

  @Test func aClientTriesTheDirectoryOfItsUserFirst() {
    func directory(
      option: String? = nil, _ variables: [String: String], hasDaemon: Bool
    ) -> String {
      RuntimeDirectory.ofClient(
        option: option, userID: 7, environment: lookup(variables),
        hasDaemon: { path, user in
          #expect(path == "/tmp/binnacle-7")
          #expect(user == 7)
          return hasDaemon
        })
    }
    #expect(directory([:], hasDaemon: true) == "/tmp/binnacle-7")
    #expect(directory([:], hasDaemon: false) == "/run/binnacle")
    #expect(directory(["BINNACLE_RUNTIME": "/e"], hasDaemon: true) == "/e")
    #expect(directory(option: "/o", ["BINNACLE_RUNTIME": "/e"], hasDaemon: true) == "/o")
  }

  @Test func theSocketOfAKilledDaemonDoesNotHideTheDaemonOfTheSystem() throws {
    let folder = try TemporaryDirectory()
    let (own, system) = (folder("own"), folder("system"))
    for directory in [own, system] { try Files.makePrivateDirectory(directory) }
    let path = RuntimeDirectory.socketPath(in: own)
    func comesFirst() -> Bool {
      RuntimeDirectory.hasDaemon(own, userID: Environment.userID, system: system)
    }
    #expect(!comesFirst())
    do {
      let killed = try LocalListener(path: own + "/killed", mode: 0o600)
      // The second name of the socket stays, as after a crash.
      try Files.link(path, of: own + "/killed")
      _ = killed.descriptor
    }
    // The client waits for its own daemon while the system has none.
    #expect(comesFirst())
    let daemon = try LocalListener(path: RuntimeDirectory.socketPath(in: system), mode: 0o600)
    #expect(!comesFirst())
    let next = try LocalListener(path: path, mode: 0o600)
    #expect(comesFirst())
    // A daemon with a full queue listens.
    try ConnectionQueue.fill(at: path)
    #expect(comesFirst())
    _ = daemon.descriptor
    _ = next.descriptor
  }

  /// Its daemon starts again after a crash, whose socket stays.
  @Test func aClientStaysInTheFolderWhereItHasFoundItsDaemon() throws {
    let folder = try TemporaryDirectory()
    let (own, system) = (folder("binnacle"), folder("system"))
    for directory in [own, system] { try Files.makePrivateDirectory(directory) }
    let board = try LocalListener(path: RuntimeDirectory.socketPath(in: system), mode: 0o600)
    let path = folder.path
    func client() -> ClientDirectory {
      ClientDirectory(system: system) { $0 == "XDG_RUNTIME_DIR" ? path : nil }
    }
    let late = client()
    let early = client()
    #expect(early.path == system)
    do {
      let killed = try LocalListener(path: own + "/killed", mode: 0o600)
      try Files.link(RuntimeDirectory.socketPath(in: own), of: own + "/killed")
      #expect(early.path == own)
      _ = killed.descriptor
    }
    #expect(early.path == own)
    #expect(late.path == system)
    try Files.remove(RuntimeDirectory.socketPath(in: own))
    #expect(early.path == system)
    _ = board.descriptor
  }

  @Test func aDirectoryOfAnotherUserIsIgnored() throws {
    let directory = "/tmp/binnacle-test-owner-\(Environment.processID)"
    try Files.makePrivateDirectory(directory)
    defer { _ = try? ChildProcess.run("rm", ["-r", directory]) }
    #expect(!RuntimeDirectory.hasSocket(directory, userID: Environment.userID))
    let listener = try LocalListener(
      path: RuntimeDirectory.socketPath(in: directory), mode: 0o600)
    #expect(RuntimeDirectory.hasSocket(directory, userID: Environment.userID))
    #expect(!RuntimeDirectory.hasSocket(directory, userID: Environment.userID + 1))
    _ = listener.descriptor
  }
}
