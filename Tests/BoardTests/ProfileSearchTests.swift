import Board
import Testing

struct ProfileSearchTests {
  private func candidates(
    _ board: String, executable: String? = nil, existing: String? = nil
  ) -> [String] {
    ProfileSearch.candidates(
      board: board, configurationDirectory: "/etc/binnacle", executable: executable,
      exists: { $0 == existing })
  }

  @Test func aPathIsTakenAsItStands() {
    #expect(candidates("./mine") == ["./mine"])
    #expect(candidates("/x/mine.conf") == ["/x/mine.conf"])
    #expect(candidates("mine.conf", existing: "mine.conf") == ["mine.conf"])
  }

  @Test func aNameIsLookedForInThreePlaces() {
    #expect(
      candidates("desk", executable: "/opt/bin/binnacled") == [
        "/etc/binnacle/boards/desk.conf", "/opt/share/binnacle/boards/desk.conf",
        "/usr/share/binnacle/boards/desk.conf",
      ])
    #expect(
      candidates("desk", executable: "/home/me/b/.build/x86_64/debug/binnacled") == [
        "/etc/binnacle/boards/desk.conf", "/home/me/b/boards/desk.conf",
        "/usr/share/binnacle/boards/desk.conf",
      ])
    #expect(
      candidates("desk.conf") == [
        "/etc/binnacle/boards/desk.conf", "/usr/share/binnacle/boards/desk.conf",
      ])
  }
}
