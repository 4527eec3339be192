internal import Foundation
internal import LocalFiles
internal import LocalProcesses

/// The folder of one run of a scenario: logs, journals and ready files.
struct Workspace: Sendable {
    let root: URL

    /// Creates the folder.
    ///
    /// - Throws: `ProcessFailure` if it cannot be created.
    init(in parent: URL, named name: String) throws(ProcessFailure) {
        root = parent.appending(path: name)
        do {
            // A former run may have left its files.
            if FileManager.default.fileExists(atPath: root.path) { try FileManager.default.removeItem(at: root) }
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        } catch {
            throw .unusable("\(root.path): cannot be created: \(SystemError.reason(of: error))")
        }
    }

    /// Returns the path of the log of a process.
    func logPath(of process: String) -> String {
        root.appending(path: "\(Self.fileName(process)).log").path
    }

    /// Returns the path of the data folder of a process.
    func dataPath(of process: String) -> String {
        root.appending(path: Self.fileName(process)).path
    }

    /// Returns the path of the ready file of a process, and removes the file of an earlier process.
    func makeReadyFilePath(of process: String) -> String {
        let file = root.appending(path: "\(Self.fileName(process)).ready.json")
        // The file of a process that was killed is not the one of its successor.
        try? FileManager.default.removeItem(at: file)
        return file.path
    }

    /// Writes a file.
    @discardableResult
    func write(_ text: String, to name: String) throws(ProcessFailure) -> String {
        let file = root.appending(path: Self.fileName(name))
        do {
            try Data(text.utf8).write(to: file)
        } catch {
            throw .unusable("\(file.path): cannot be written: \(SystemError.reason(of: error))")
        }
        return file.path
    }

    /// Removes the folder and everything in it.
    func remove() {
        // A failure does no harm: the system clears its folder for temporary files.
        try? FileManager.default.removeItem(at: root)
    }

    /// Returns a name for a file: other characters than ASCII letters, digits, `.` and `-` become `-`.
    ///
    /// If that changes or shortens a name, a hash follows, so that different names stay different.
    static func fileName(_ name: String) -> String {
        let readable = readableName(name)
        guard readable != name else { return readable }
        // FNV-1a, 32 bits.
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return readable + "-" + String(hash, radix: 16)
    }

    /// Returns a name for a file, which another name may have too.
    static func readableName(_ name: String) -> String {
        String(
            name.prefix(maximumNameLength).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
        )
    }

    private static let maximumNameLength = 80
}
