internal import DescriptionFiles
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

    /// Returns what there is to read, at most 64 KB: of a pipe that which has come, without waiting for more.
    private func next(_ handle: FileHandle) throws(CommandFailure) -> Data? {
        var piece = Data(count: 64 << 10)
        let count = piece.withUnsafeMutableBytes { bytes in
            var count = -1
            repeat {
                count = read(handle.fileDescriptor, bytes.baseAddress, bytes.count)
            } while count < 0 && errno == EINTR
            return count
        }
        guard count >= 0 else { throw .unusable("\(name): cannot be read") }
        return piece.prefix(count)
    }
}

extension DescriptionFile {
    /// Returns the value that a file describes, which a command was given.
    ///
    /// - Throws: `CommandFailure` naming the file, and the place in it that cannot be used.
    static func readInput<Value: Codable>(_ type: Value.Type, from path: String) throws(CommandFailure) -> Value {
        do throws(ReadError) {
            return try read(type, from: path)
        } catch {
            throw .unusable("\(error)")
        }
    }
}
