internal import Foundation

/// A file that a command writes.
enum OutputFile {
    /// Writes a file, and creates its folder if needed.
    ///
    /// - Throws: `CommandFailure` that names the file, if it cannot be written.
    static func write(_ contents: Data, to file: URL) throws(CommandFailure) {
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try contents.write(to: file)
        } catch {
            throw .unusable("\(file.path): cannot be written: \(error.localizedDescription)")
        }
    }
}
