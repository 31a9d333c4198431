import BinnacleModel
import Foundation
import Testing

@testable import AppRuntime

/// Values are converted as `UserDefaults` documents it.
struct ConversionTests {
  static let bools: [(DefaultsValue, Bool)] = [
    (.flag(true), true), (.flag(false), false), (.integer(1), true), (.integer(-3), true),
    (.integer(0), false), (.number(0.5), true), (.number(0), false), (.text("true"), true),
    (.text("YES"), true), (.text("1"), true), (.text("false"), false), (.text("NO"), false),
    (.text("0"), false), (.text("perhaps"), false), (.data([1]), false),
  ]

  static let integers: [(DefaultsValue, Int)] = [
    (.flag(true), 1), (.flag(false), 0), (.integer(-7), -7), (.number(2.67), 2),
    (.number(1e300), 0), (.number(.nan), 0), (.text("123"), 123), (.text("12.5"), 12),
    (.text("x"), 0), (.data([1]), 0),
  ]

  static let strings: [(DefaultsValue, String?)] = [
    (.flag(true), "1"), (.flag(false), "0"), (.integer(-7), "-7"), (.number(2.5), "2.5"),
    (.number(3), "3"), (.text("x"), "x"), (.data([1]), nil),
  ]

  @Test(arguments: bools) func anythingMayBeAskedForAsTrueOrFalse(_ row: (DefaultsValue, Bool)) {
    #expect(row.0.bool == row.1)
  }

  @Test(arguments: integers) func anythingMayBeAskedForAsAWholeNumber(_ row: (DefaultsValue, Int)) {
    #expect(row.0.integer == row.1)
  }

  @Test(arguments: strings) func numbersMayBeAskedForAsText(_ row: (DefaultsValue, String?)) {
    #expect(row.0.string == row.1)
  }

  @Test func numbersMayBeAskedForAsNumbers() {
    #expect(DefaultsValue.flag(true).double == 1)
    #expect(DefaultsValue.integer(4).double == 4)
    #expect(DefaultsValue.text("2.5").double == 2.5)
    #expect(DefaultsValue.text("x").double == 0)
    #expect(DefaultsValue.data([1]).double == 0)
  }

  @Test func aValueComesBackInItsType() {
    #expect(DefaultsValue.flag(true).object as? Bool == true)
    #expect(DefaultsValue.integer(-7).object as? Int == -7)
    #expect(DefaultsValue.number(2.5).object as? Double == 2.5)
    #expect(DefaultsValue.text("x").object as? String == "x")
    #expect(DefaultsValue.data([1, 2]).object as? Data == Data([1, 2]))
  }

  @Test func onlySomeTypesAreKept() {
    #expect(DefaultsValue(true as Any) == .flag(true))
    #expect(DefaultsValue(UInt8(7) as Any) == .integer(7))
    #expect(DefaultsValue(UInt64.max as Any) == nil)
    #expect(DefaultsValue(Float(0.5) as Any) == .number(0.5))
    #expect(DefaultsValue("x" as Any) == .text("x"))
    #expect(DefaultsValue(Data([1, 2]) as Any) == .data([1, 2]))
    #expect(DefaultsValue(Date() as Any) == nil)
    #expect(DefaultsValue([1] as Any) == nil)
  }
}
