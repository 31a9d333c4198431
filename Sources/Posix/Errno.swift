import CBinnaclePosix
import Glibc

/// The error number of a failed system call.
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number, as in `<errno.h>`.
  public let code: Int32

  public init(code: Int32) {
    self.code = code
  }

  /// The answer of the call that failed last on this thread.
  public static var current: Errno { Errno(code: errno) }

  public static let notPermitted = Errno(code: EPERM)
  public static let noSuchFile = Errno(code: ENOENT)
  public static let noSuchProcess = Errno(code: ESRCH)
  public static let interrupted = Errno(code: EINTR)
  public static let inputOutput = Errno(code: EIO)
  public static let noSuchDeviceOrAddress = Errno(code: ENXIO)
  public static let wouldBlock = Errno(code: EAGAIN)
  public static let accessDenied = Errno(code: EACCES)
  public static let busy = Errno(code: EBUSY)
  public static let fileExists = Errno(code: EEXIST)
  public static let noSuchDevice = Errno(code: ENODEV)
  public static let notADirectory = Errno(code: ENOTDIR)
  public static let invalidArgument = Errno(code: EINVAL)
  public static let notATerminal = Errno(code: ENOTTY)
  public static let fileTooLarge = Errno(code: EFBIG)
  public static let noSpace = Errno(code: ENOSPC)
  public static let readOnly = Errno(code: EROFS)
  public static let brokenPipe = Errno(code: EPIPE)
  public static let nameTooLong = Errno(code: ENAMETOOLONG)
  public static let messageTooLong = Errno(code: EMSGSIZE)
  public static let connectionReset = Errno(code: ECONNRESET)
  public static let canceled = Errno(code: ECANCELED)
  public static let connectionAborted = Errno(code: ECONNABORTED)
  public static let noBufferSpace = Errno(code: ENOBUFS)
  public static let timedOut = Errno(code: ETIMEDOUT)
  /// A symbolic link where none is followed, or a circle of them.
  public static let tooManyLinks = Errno(code: ELOOP)
  public static let isADirectory = Errno(code: EISDIR)
  /// The program at the far end is not the expected one (`EBADE`).
  public static let untrustedServer = Errno(code: EBADE)
  public static let connectionRefused = Errno(code: ECONNREFUSED)
  public static let noMemory = Errno(code: ENOMEM)
  /// A file that the kernel cannot run, such as a program for another processor (`ENOEXEC`).
  public static let noExecutable = Errno(code: ENOEXEC)
  /// A program that is open for writing.
  public static let textFileBusy = Errno(code: ETXTBSY)
  public static let argumentsTooLong = Errno(code: E2BIG)
  /// A name that is not UTF-8.
  public static let illegalByteSequence = Errno(code: EILSEQ)

  /// The system's own words, such as "No such file or directory".
  ///
  /// The corresponding C function is `strerror_r`.
  public var description: String {
    var text = [CChar](repeating: 0, count: 256)
    cposix_describe_error(code, &text, text.count)
    return String(terminated: text)
  }

  /// Calls again while a signal interrupts; the answer -1 becomes the error that the system left.
  static func check<Number: FixedWidthInteger & SignedInteger>(
    _ call: () -> Number
  ) throws(Errno) -> Number {
    while true {
      let answer = call()
      if answer != -1 { return answer }
      let failure = Errno.current
      if failure != .interrupted { throw failure }
    }
  }
}

extension String {
  /// The text before the zero byte that ends it in C.
  init(terminated characters: [CChar]) {
    self.init(
      decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
