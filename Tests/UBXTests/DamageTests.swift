import Testing

@testable import UBX

struct DamageTests {
  @Test func theTotalsCoverEveryCause() {
    var damage = Damage()
    for (index, cause) in Damage.Cause.allCases.enumerated() {
      damage.count(bytes: 1 << index, occurrences: 100 << index, by: cause)
    }
    let all = (1 << Damage.Cause.allCases.count) - 1
    #expect(damage.discardedBytes == all)
    #expect(damage.occurrences == 100 * all)
  }
}
