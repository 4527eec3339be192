internal import Foundation
internal import LocalFiles

/// A file that a command reads: a path, a pipe, or `-` for standard input.
struct InputFile {
    let path: String

    /// The name of the file in messages.
    var name: String {
        path == "-" ? "standard input" : path
    }

    /// Returns the whole contents of the file.
    ///
    /// - Throws: `CommandFailure` if it cannot be read, or has more than `maximumSize` bytes.
    func readToEnd(maximumSize: Int = FileContents.maximumSize) throws(CommandFailure) -> [UInt8] {
        guard path == "-" else {
            do throws(SystemError) {
                return try FileContents.bytes(at: path, maximumSize: maximumSize)
            } catch {
                throw .unusable("\(path): cannot be read: \(error)")
            }
        }
        var bytes: [UInt8] = []
        let handle = try open()
        while let chunk = try readChunk(from: handle), !chunk.isEmpty {
            bytes += chunk
            guard bytes.count <= maximumSize else {
                throw .unusable("\(name): cannot be read: \(SystemError.tooLarge(maximumSize))")
            }
        }
        return bytes
    }

    /// Returns the text of the file.
    ///
    /// - Throws: `CommandFailure` if it cannot be read, is too large, or is not UTF-8.
    func readText() throws(CommandFailure) -> String {
        guard let text = String(validating: try readToEnd(), as: UTF8.self) else {
            throw .unusable("\(name): is not UTF-8")
        }
        return text
    }

    /// Calls `body` with each chunk of the file as it arrives.
    func forEachChunk(_ body: (Data) throws -> Void) throws {
        let handle = try open()
        while let chunk = try readChunk(from: handle), !chunk.isEmpty { try body(chunk) }
    }

    private func open() throws(CommandFailure) -> FileHandle {
        if path == "-", isatty(STDIN_FILENO) == 1 { StandardError.write("reading standard input, until Ctrl-D") }
        guard let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw .unreadable(path)
        }
        return handle
    }

    /// Reads the next chunk, of at most 64 KB.
    ///
    /// From a pipe, it reads the bytes that have arrived, without waiting for more.
    private func readChunk(from handle: FileHandle) throws(CommandFailure) -> Data? {
        var chunk = Data(count: 64 << 10)
        let count = chunk.withUnsafeMutableBytes { bytes in
            var count = -1
            repeat {
                count = read(handle.fileDescriptor, bytes.baseAddress, bytes.count)
            } while count < 0 && errno == EINTR
            return count
        }
        guard count >= 0 else { throw path == "-" ? .unusable("\(name): cannot be read") : .unreadable(path) }
        return chunk.prefix(count)
    }
}

extension CommandFailure {
    /// Returns the failure that a file cannot be read, with the reason.
    static func unreadable(_ path: String) -> Self {
        .unusable("\(path): cannot be read: \(SystemError.reasonForFailedRead(of: path))")
    }
}
