import Glibc
import UBX

// Measures the megabytes per second of the parser, by CPU time of this process:
//   binnacle-perf framing FILE      frames with their checksums
//   binnacle-perf solutions FILE    navigation solutions in memory, no text
// and the cost of the rest detector per sample:
//   binnacle-perf motion
//   binnacle-perf motion-recomputed the control: recomputes the spread of two seconds for each sample

/// The number of bytes that the parser gets at a time, as from a reader of files.
let chunkSize: Int = 262_144

switch (CommandLine.arguments.count, CommandLine.arguments.last) {
case (2, "motion"): print("motion: \(MotionCost().detector())")
case (2, "motion-recomputed"): print("motion-recomputed: \(MotionCost().recomputed())")
case (3, _): measure(CommandLine.arguments[1], map(CommandLine.arguments[2]))
case _: usage()
}

func measure(_ work: String, _ bytes: UnsafeRawBufferPointer) {
  // The first run is not counted; it brings the file and the code into memory.
  _ = run(work, bytes)
  let start = cpuSeconds()
  let result = run(work, bytes)
  let speed = Double(bytes.count) / (cpuSeconds() - start) / 1e6
  print("\(work): \(Int(speed.rounded())) MB/s of CPU time, \(result)")
}

func run(_ work: String, _ bytes: UnsafeRawBufferPointer) -> String {
  switch work {
  case "framing": framing(bytes)
  case "solutions": solutions(bytes)
  case _: usage()
  }
}

func framing(_ bytes: UnsafeRawBufferPointer) -> String {
  var parser = FrameParser()
  var count = 0
  for start in stride(from: 0, to: bytes.count, by: chunkSize) {
    parser.append(bytes.piece(from: start))
    while parser.next() != nil { count += 1 }
  }
  parser.finish()
  while parser.next() != nil { count += 1 }
  return "\(count) frames, \(parser.damage.discardedBytes) bytes discarded"
}

func solutions(_ bytes: UnsafeRawBufferPointer) -> String {
  var decoder = StreamDecoder(publication: .whenEnded)
  var count = 0
  for start in stride(from: 0, to: bytes.count, by: chunkSize) {
    decoder.append(bytes.piece(from: start))
    while decoder.nextSolution() != nil { count += 1 }
  }
  decoder.finish()
  while decoder.nextSolution() != nil { count += 1 }
  return "\(count) solutions"
}

extension UnsafeRawBufferPointer {
  func piece(from start: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[start..<Swift.min(count, start + chunkSize)])
  }
}

/// The user and system time of this process.
func cpuSeconds() -> Double {
  var usage = rusage()
  getrusage(RUSAGE_SELF.rawValue, &usage)
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

func seconds(_ time: timeval) -> Double {
  Double(time.tv_sec) + Double(time.tv_usec) / 1e6
}

/// Maps a file into memory; the file stays mapped to the end of the process.
func map(_ path: String) -> UnsafeRawBufferPointer {
  let file = open(path, O_RDONLY)
  var status = stat()
  guard file >= 0, fstat(file, &status) == 0, status.st_size > 0,
    let memory = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, file, 0),
    memory != MAP_FAILED
  else {
    fail("\(path) cannot be read", status: 66)
  }
  return UnsafeRawBufferPointer(start: memory, count: Int(status.st_size))
}

func usage() -> Never {
  fail("usage: binnacle-perf framing|solutions FILE, or motion|motion-recomputed", status: 64)
}

func fail(_ reason: String, status: Int32) -> Never {
  let line = Array("binnacle-perf: \(reason)\n".utf8)
  write(STDERR_FILENO, line, line.count)
  exit(status)
}
