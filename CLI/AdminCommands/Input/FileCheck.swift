internal import SchemaFiles

/// Checks files of a kind, and reports all problems with their places.
enum FileCheck {
    /// Reads all files, and prints their number if none has a problem.
    ///
    /// - Parameters:
    ///   - files: the paths.
    ///   - kind: the name of the kind, in the singular.
    ///   - read: reads a file.
    /// - Throws: `FileFindings`; `CommandFailure` if standard output is closed.
    static func run(_ files: [String], kind: String, read: (String) throws(FileFindings) -> Void) throws {
        let findings = files.flatMap { file in FileFindings.findings { () throws(FileFindings) in try read(file) } }
        guard findings.isEmpty else { throw FileFindings(findings) }
        try StandardOutput.write("\(files.count) \(kind)\(files.count == 1 ? "" : "s"), no problems\n")
    }
}
