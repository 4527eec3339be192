internal import Foundation

/// Files that are replaced atomically, and folders for them.
package enum AtomicFile {
    /// Writes a file in one step: a reader sees the old contents or the new ones, even after a crash.
    ///
    /// - Parameters:
    ///   - bytes: the contents.
    ///   - path: the file's path; its folder must exist. An existing file is replaced. Only the owner can read the new
    ///     one.
    /// - Throws: `SystemError`.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try write(to: path) { file throws(SystemError) in try file.write(bytes) }
    }

    /// Copies a file, or its first `count` bytes, in one step; the conditions for the path are those of `write`.
    ///
    /// - Throws: `SystemError`.
    package static func copy(_ source: OpenFile, upTo count: Int = .max, to path: String) throws(SystemError) {
        try write(to: path) { file throws(SystemError) in
            var offset = 0
            while case let chunk = try source.read(from: offset, upTo: min(count - offset, 1 << 20)), !chunk.isEmpty {
                try file.write(chunk)
                offset += chunk.count
            }
        }
    }

    private static func write(
        to path: String,
        _ write: (OpenFile) throws(SystemError) -> Void
    ) throws(SystemError) {
        let temporaryPath = path + ".new"
        // A process that was killed while it wrote may have left one.
        unlink(temporaryPath)
        let file = try OpenFile(path: temporaryPath, O_WRONLY | O_CREAT | O_EXCL)
        do throws(SystemError) {
            try write(file)
            try file.sync()
            guard rename(temporaryPath, path) == 0 else { throw .last }
        } catch {
            unlink(temporaryPath)
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

    /// Waits until the directory entry of a file or folder is on the disk.
    ///
    /// - Throws: `SystemError`.
    package static func syncDirectoryEntry(of path: String) throws(SystemError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try OpenFile(anyAt: folder, O_RDONLY | O_DIRECTORY).sync()
    }
}
