import CGPIO

/// The library that the kernel's lines are reached by.
public enum LineLibrary {
  /// The version of libgpiod that runs, such as `2.1.3`; 1.x and 2.x speak different interfaces of the kernel.
  public static var version: String { String(cString: cgpio_library_version()) }
}
