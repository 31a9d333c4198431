import CGPIO

/// The library for the kernel's lines.
public enum LineLibrary {
  /// The version of libgpiod in use, such as `2.1.3`; 1.x and 2.x use different kernel interfaces.
  public static var version: String { String(cString: cgpio_library_version()) }
}
