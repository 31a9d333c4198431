import Glibc

/// The command line of this process.
extension Arguments {
  /// The words behind the program's name.
  ///
  /// `CommandLine.arguments` replaces bytes that are not UTF-8, so that a file would get another name. The character U+FFFD
  /// itself is permitted.
  ///
  /// - Returns: the words, in their order.
  /// - Throws: a sentence about the first word that is not UTF-8.
  public static func wordsOfProcess() throws(UsageError) -> [String] {
    var words: [String] = []
    var index = 1
    while index < Int(CommandLine.argc), let word = CommandLine.unsafeArgv[index] {
      words.append(try text(of: Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))))
      index += 1
    }
    return words
  }

  /// The text of a word.
  ///
  /// - Parameter bytes: the word as the kernel has it.
  /// - Returns: the text.
  /// - Throws: a sentence if the bytes are not UTF-8.
  static func text(of bytes: [UInt8]) throws(UsageError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw UsageError("'\(String(decoding: bytes, as: UTF8.self))' is not UTF-8")
    }
    return text
  }
}
