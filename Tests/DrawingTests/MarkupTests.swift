import TestSupport
import Testing

@testable import Drawing

struct MarkupTests {
  @Test func textFromOutsideCannotEndAnElementOrAnAttribute() {
    #expect(
      Markup.escaped("\"/><script>alert('x')</script>&amp;")
        == "&quot;/&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;")
  }

  @Test func charactersThatXMLForbidsAreReplaced() throws {
    for value: UInt32 in [0, 0xB, 0xFFFE, 0xFFFF, 0x1FFFE, 0xFDD0] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(Markup.escaped("a\(Character(scalar))b") == "a?b", "\(value)")
    }
    #expect(ForeignText.remains(in: Markup.escaped(ForeignText.sample)) == [])
    #expect(!Markup.escaped(ForeignText.sample).contains("\n"))
  }
}
