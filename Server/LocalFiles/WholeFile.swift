internal import Foundation

/// Files that are replaced as a whole, and folders for them.
package enum WholeFile {
    /// Writes a file in one step: a reader, and a restart after a crash, find the old contents or the new ones.
    ///
    /// - Parameters:
    ///   - bytes: the contents.
    ///   - path: the file's path; its folder has to exist, and a file that is there is replaced. Only the owner can read
    ///     the new one.
    /// - Throws: `SystemError`.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try write(to: path) { file throws(SystemError) in try file.write(bytes) }
    }

    /// Copies a file in one step, to a path with the same conditions.
    ///
    /// - Throws: `SystemError`.
    package static func copy(_ source: OpenFile, to path: String) throws(SystemError) {
        try write(to: path) { file throws(SystemError) in
            while case let piece = try source.read(upTo: 1 << 20), !piece.isEmpty { try file.write(piece) }
        }
    }

    private static func write(
        to path: String,
        _ write: (OpenFile) throws(SystemError) -> Void
    ) throws(SystemError) {
        let draft = path + ".new"
        // A process that was killed while it wrote may have left one.
        unlink(draft)
        let file = try OpenFile(path: draft, O_WRONLY | O_CREAT | O_EXCL)
        do throws(SystemError) {
            try write(file)
            try file.sync()
            guard rename(draft, path) == 0 else { throw .last }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Creates a folder that only its owner may use, and those above it that are missing.
    ///
    /// - Throws: the error of `FileManager`.
    package static func createFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Waits until the entry of a file or folder in the folder around it is on the disk.
    ///
    /// - Throws: `SystemError`.
    package static func syncEntry(of path: String) throws(SystemError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try OpenFile(anyAt: folder, O_RDONLY | O_DIRECTORY).sync()
    }
}
