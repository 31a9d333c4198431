import TestSupport
import Testing

@testable import Drawing

struct MarkupTests {
  @Test func textFromOutsideCannotEndAnElementOrAnAttribute() {
    #expect(
      Markup.escaped("\"/><script>alert('x')</script>&amp;")
        == "&quot;/&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;")
  }

  @Test func charactersThatXMLForbidsAreReplaced() {
    #expect(Markup.escaped("a\u{0}b\u{B}c\u{FFFE}d\u{FFFF}e\u{1FFFE}f\u{FDD0}g") == "a?b?c?d?e?f?g")
    #expect(ForeignText.remains(in: Markup.escaped(ForeignText.sample)) == [])
    #expect(!Markup.escaped(ForeignText.sample).contains("\n"))
  }
}
