import BinnacleText
import Testing

/// The text of an object, byte for byte.
struct JSONObjectTests {
  @Test func anEmptyObjectIsTwoBraces() {
    #expect(JSONObject().text == "{}")
  }

  @Test func keysKeepTheirOrderAndNumbersReadBackAsTheSameValue() {
    var object = JSONObject()
    object.add("b", 0.1 + 0.2)
    object.add("a", Int64.min)
    object.add("c", true)
    object.add("d", Double.nan)
    object.add("e", -Double.infinity)
    #expect(
      object.text
        == #"{"b":0.30000000000000004,"a":-9223372036854775808,"c":true,"d":null,"e":null}"#)
  }

  @Test func listsHoldTheirElementsBetweenCommas() {
    var inner = JSONObject()
    inner.add("key", "value")
    var object = JSONObject()
    object.add("none", [String]())
    object.add("texts", ["a", "b\"c"])
    object.add("integers", [Int64(1), -2])
    object.add("objects", [inner, JSONObject()])
    #expect(
      object.text
        == #"{"none":[],"texts":["a","b\"c"],"integers":[1,-2],"objects":[{"key":"value"},{}]}"#)
  }

  @Test(arguments: [
    ("plain text ~", "plain text ~"), ("", ""), ("say \"no\"", #"say \"no\""#),
    ("C:\\", #"C:\\"#), ("a\nb\rc\td", #"a\nb\rc\td"#), ("\u{1B}[2J\u{7F}", #"\u001b[2J\u007f"#),
    ("Zürich 東京", "Zürich 東京"), ("\u{202E}", #"\u202e"#), ("\u{E0001}", #"\udb40\udc01"#),
    ("é\"", #"é\""#),
  ]) func aTextIsEscapedWhereAParserOrATerminalNeedsIt(text: String, escaped: String) {
    var object = JSONObject()
    object.add(text, text)
    #expect(object.text == "{\"\(escaped)\":\"\(escaped)\"}")
  }
}
