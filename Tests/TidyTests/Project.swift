import Glibc
import TestSupport

/// The files of the project, read once.
enum Project {
  static let swiftFiles: [SourceFile] = {
    let folders = ["Sources", "Tests", "Examples", "Fuzz", "Perf"]
    let paths = folders.flatMap { files(below: $0) } + ["Package.swift"]
    return paths.filter { $0.hasSuffix(".swift") }.map { SourceFile(path: $0, text: text(of: $0)) }
  }()

  /// Scripts in which a sentence may be changed: the bench's kernel is named after the content of its recipe.
  static let scripts: [Document] = {
    let folders = [
      "Bench/guest", "Bench/lib", "Bench/measures", "Bench/scenarios", "Perf", "scripts", "Image",
      "Tests/DiagnosisTests/Machines",
    ]
    let kinds = [".sh", ".py", ".c", ".tree"]
    let paths = folders.flatMap { files(below: $0) } + ["Bench/run.py", "Makefile"]
    return paths.filter { path in path == "Makefile" || kinds.contains { path.hasSuffix($0) } }
      .map { Document(path: $0, text: text(of: $0)) }
  }()

  static let documents: [Document] = {
    let paths =
      names(in: ".") + files(below: "Docs") + files(below: "boards") + files(below: "Bench")
    return paths.filter { $0.hasSuffix(".md") }.map { Document(path: $0, text: text(of: $0)) }
  }()

  static func text(of path: String) -> String {
    let bytes = try? TestData.contents(ofFile: TestData.packageRoot + "/" + path)
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  static func exists(_ path: String) -> Bool {
    access(TestData.packageRoot + "/" + path, F_OK) == 0
  }

  /// All files below a folder, folders whose names start with a dot left out.
  static func files(below folder: String) -> [String] {
    names(in: folder).flatMap { name -> [String] in
      let path = folder + "/" + name
      let inside = files(below: path)
      return inside.isEmpty ? [path] : inside
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(TestData.packageRoot + "/" + folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
