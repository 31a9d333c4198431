import LocationEngine
import TestSupport
import Testing

struct RecordTableTests {
  @Test func everyTypeOfRecordHasANumberOfItsOwn() {
    let numbers = RecordTable.all.map(\.number)
    #expect(Set(numbers).count == numbers.count)
    for kind in RecordTable.all { #expect(RecordTable.kind(kind.number) == kind) }
    #expect(RecordTable.kind(65_000) == nil)
  }

  @Test func theTableOfTypesIsTheDocuments() throws {
    let path = TestData.packageRoot + "/Docs/SPEC-state.md"
    let page = String(decoding: try TestData.contents(ofFile: path), as: UTF8.self)
    for kind in RecordTable.all {
      let row = page.split(separator: "\n").first {
        $0.hasPrefix("| \(kind.number) | \(kind.name) |")
      }
      #expect(row?.hasSuffix("| \(kind.commitClass) |") == true, "\(kind.name)")
    }
  }

  @Test func onlyTheSwitchOfLocationServicesHasASecondCopyInTheMark() {
    #expect(RecordTable.protecting == [RecordTable.locationServices.number])
  }
}
