internal import Foundation

/// A file that a command reads: a path, a pipe, or `-` for standard input.
struct InputFile {
    let path: String

    /// What the file is called in a message.
    var name: String {
        path == "-" ? "standard input" : path
    }

    /// Returns all that is in the file.
    func readToEnd() throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        let handle = try open()
        while let piece = try next(handle), !piece.isEmpty { bytes += piece }
        return bytes
    }

    /// Calls `take` with what is in the file, piece by piece as it comes.
    func forEachPiece(_ take: (Data) throws -> Void) throws {
        let handle = try open()
        while let piece = try next(handle), !piece.isEmpty { try take(piece) }
    }

    private func open() throws(CommandFailure) -> FileHandle {
        guard let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw .unusable("\(name): cannot be read")
        }
        return handle
    }

    private func next(_ handle: FileHandle) throws(CommandFailure) -> Data? {
        do {
            return try handle.read(upToCount: 64 << 10)
        } catch {
            throw .unusable("\(name): cannot be read")
        }
    }
}
