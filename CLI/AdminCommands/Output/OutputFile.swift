internal import Foundation
internal import LocalFiles

/// A file that a command writes.
enum OutputFile {
    /// Creates the folder of a file that is written at the end of a run, and checks that it can be.
    ///
    /// - Throws: `CommandFailure` that names the file, if it cannot be written.
    static func prepare(_ path: String) throws(CommandFailure) {
        let files = FileManager.default
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw .unusable("\(path): cannot be written: \(SystemError.reason(of: error))")
        }
        var isFolder: ObjCBool = false
        let exists = files.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else { throw .unusable("\(path): cannot be written: it is a folder") }
        guard files.isWritableFile(atPath: exists ? path : folder.path) else {
            throw .unusable("\(path): cannot be written: access is denied")
        }
    }

    /// Writes a file, and creates its folder if needed.
    ///
    /// - Throws: `CommandFailure` that names the file, if it cannot be written.
    static func write(_ contents: Data, to file: URL) throws(CommandFailure) {
        do {
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try contents.write(to: file)
        } catch {
            throw .unusable("\(file.path): cannot be written: \(SystemError.reason(of: error))")
        }
    }
}
