import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Whether a parser of another project takes a text as XML.
enum XMLCheck {
  static func parses(_ text: String) -> Bool {
    XMLParser(data: Data(text.utf8)).parse()
  }
}
