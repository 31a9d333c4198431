import Testing

/// `Docs/FROM-IOS.md` names every public symbol of the two libraries of an app, and no other.
struct PhoneTests {
  private static let page = Project.text(of: "Docs/FROM-IOS.md")

  /// The rows of the page's tables of types: the type, and its members.
  private static var rows: [(type: String, members: Set<String>)] {
    page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 5, cells[1].hasPrefix(" `") || cells[1] == " outside of types " else {
        return nil
      }
      return (names(in: cells[1]).first ?? "", Set(names(in: cells[2])))
    }
  }

  /// The words in backticks.
  private static func names(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func symbols(of target: String) -> PublicSymbols {
    PublicSymbols(Project.swiftFiles.filter { $0.target == target })
  }

  @Test(arguments: ["CoreLocation", "AppRuntime"]) func thePageNamesEachPublicSymbol(
    _ target: String
  ) {
    let rows = PhoneTests.rows
    let symbols = PhoneTests.symbols(of: target).members
    #expect(symbols.count > 10)
    for (type, members) in symbols.sorted(by: { $0.key < $1.key }) {
      let own = rows.filter { $0.type == type }
      let listed = own.reduce(Set<String>()) { $0.union($1.members) }
      #expect(!own.isEmpty, "no row for \(type)")
      #expect(members.subtracting(listed).sorted() == [], "\(type): not in its row")
    }
  }

  @Test func thePageNamesNothingElse() {
    let all = ["CoreLocation", "AppRuntime"].map { PhoneTests.symbols(of: $0).members }
    for (type, members) in PhoneTests.rows {
      let known = all.compactMap { $0[type] }.reduce(Set<String>()) { $0.union($1) }
      #expect(all.contains { $0[type] != nil }, "there is no type \(type)")
      #expect(members.subtracting(known).sorted() == [], "\(type): not there")
    }
  }

  @Test func publicMembersAreFoundAndOthersAreNot() {
    let text = """
      public struct A { public let b: Int; var c = 1
        public func d() { let e = 2 }
        public enum F { case g, h(Int) }
      }
      extension A.F { public static var i: Int { 1 } }
      struct J { public let k = 1 }
      public protocol L { func m() }
      open class N { open private(set) var o = 1; public init() {} ; open class func p() {} }
      public let q = 1
      """
    let symbols = PublicSymbols([SourceFile(path: "Sources/AppRuntime/A.swift", text: text)])
    #expect(
      symbols.members == [
        "A": ["b", "d"], "A.F": ["g", "h", "i"], "L": ["m"], "N": ["o", "init", "p"], "": ["q"],
      ])
  }
}
