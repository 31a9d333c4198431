internal import CBinnacle

/// The standard output of the process.
package enum StandardOutput {
  /// From now on each printed line appears at once, also if the output is a pipe.
  package static func appearsByLine() { binnacle_print_by_lines() }
}
