import Glibc

/// The function that libFuzzer calls with every input; `BINNACLE_FUZZ_TARGET` names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

private let target: FuzzTarget = {
  let name = getenv("BINNACLE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
    fatalError("BINNACLE_FUZZ_TARGET is one of: \(names)")
  }
  return target
}()
