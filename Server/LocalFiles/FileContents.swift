internal import Foundation

/// The contents of whole files that people name, which have a maximum size.
package enum FileContents {
    /// The maximum size of a file that a person writes: 8 MiB.
    package static let maximumSize = 8 << 20

    /// Reads a file, a pipe or a device to its end.
    ///
    /// A file that is too large is refused by its size, before it is read; a pipe or a device after `maximumSize`
    /// bytes.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - maximumSize: the maximum number of bytes.
    /// - Returns: the bytes.
    /// - Throws: `SystemError` with the reason, such as `it does not exist`.
    package static func bytes(
        at path: String,
        maximumSize: Int = FileContents.maximumSize
    ) throws(SystemError) -> [UInt8] {
        do throws(SystemError) {
            return try OpenFile(anyAt: path).readToEnd(maximumSize: maximumSize)
        } catch {
            guard error.code != EFBIG else { throw error }
            throw SystemError(code: error.code, SystemError.reasonForFailedRead(of: path))
        }
    }

    /// Reads a regular file to its end; a pipe in the place of one is not waited for.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - maximumSize: the maximum number of bytes.
    /// - Returns: the bytes.
    /// - Throws: `SystemError` with the reason, such as `it does not exist`.
    package static func bytes(
        regularAt path: String,
        maximumSize: Int = FileContents.maximumSize
    ) throws(SystemError) -> [UInt8] {
        try openFile(regularAt: path).readToEnd(maximumSize: maximumSize)
    }

    /// Returns the number of bytes of a regular file; a pipe in the place of one is not waited for.
    ///
    /// - Throws: `SystemError` with the reason, such as `it does not exist`.
    package static func size(regularAt path: String) throws(SystemError) -> Int {
        try openFile(regularAt: path).size()
    }

    private static func openFile(regularAt path: String) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(regularAt: path)
        } catch {
            // The reason is already a sentence if the file was opened and is of another kind.
            guard error.code != EINVAL else { throw error }
            throw SystemError(code: error.code, SystemError.reasonForFailedRead(of: path))
        }
    }

    /// Returns the text of a regular file; `nil` if it is none, cannot be read, is too large or is not UTF-8.
    ///
    /// It is for files that programs write: a pipe in the place of one is not waited for.
    package static func text(regularAt path: String) -> String? {
        guard let contents = try? OpenFile(regularAt: path).readToEnd(maximumSize: maximumSize) else { return nil }
        return String(validating: contents, as: UTF8.self)
    }
}

extension OpenFile {
    /// Reads to the end of the file, unless it has more than `maximumSize` bytes.
    ///
    /// - Throws: `SystemError`, with the code `EFBIG` if the file is too large.
    package func readToEnd(maximumSize: Int) throws(SystemError) -> [UInt8] {
        // Pipes and devices have the size 0.
        guard try size() <= maximumSize else { throw .tooLarge(maximumSize) }
        let bytes = try read(upTo: maximumSize + 1)
        guard bytes.count <= maximumSize else { throw .tooLarge(maximumSize) }
        return bytes
    }
}

extension SystemError {
    /// Returns the error of a file that has more than `maximumSize` bytes.
    package static func tooLarge(_ maximumSize: Int) -> Self {
        let size =
            if maximumSize >= 1 << 20 {
                "\(maximumSize >> 20) MiB"
            } else if maximumSize >= 1 << 10 {
                "\(maximumSize >> 10) KiB"
            } else {
                "\(maximumSize) bytes"
            }
        return Self(code: EFBIG, "it has more than \(size)")
    }
}
