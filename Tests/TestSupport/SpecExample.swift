/// The bytes of one message as a page of documentation shows them: ` ```hex NAME `, then bytes, `#`, their offset.
public struct SpecExample {
  public var name: String
  public var bytes: [UInt8] = []
  /// Where each line's bytes begin.
  public var offsets: [Int] = []
  /// Where the page says that they begin.
  public var offsetsSaid: [Int] = []

  /// All examples of a page in `Docs`, in order.
  public static func all(ofPage page: String) throws -> [SpecExample] {
    let path = TestData.packageRoot + "/Docs/" + page
    let text = String(decoding: try TestData.contents(ofFile: path), as: UTF8.self)
    var examples: [SpecExample] = []
    var current: SpecExample?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```hex ") {
        current = SpecExample(name: String(line.dropFirst(7)))
      } else if line == "```", let example = current {
        examples.append(example)
        current = nil
      } else if var example = current {
        let parts = line.split(separator: "#", maxSplits: 1)
        example.offsets.append(example.bytes.count)
        example.bytes += parts[0].split(separator: " ").compactMap { UInt8($0, radix: 16) }
        let offset = parts[1].prefix { $0 != ":" }.split(separator: " ").joined()
        example.offsetsSaid.append(Int(offset) ?? -1)
        current = example
      }
    }
    return examples
  }
}
