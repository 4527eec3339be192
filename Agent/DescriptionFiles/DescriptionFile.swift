internal import Foundation

/// A file in which a person describes something, in YAML or JSON, which YAML includes.
package enum DescriptionFile {
    /// Why a file cannot be used; the description names the file and the place.
    package struct ReadError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The file.
        package let path: String

        /// What is wrong with it, and where.
        package let reason: String

        /// A sentence for a person.
        package var description: String {
            "\(path): \(reason)"
        }

        /// Creates the value from its parts.
        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// Returns the value that the file at `path` describes.
    ///
    /// - Throws: `ReadError` where the file cannot be read, or has a key that is not known: in a file that a person wrote
    ///   that is a misspelling.
    package static func read<Value: Codable>(_ type: Value.Type, from path: String) throws(ReadError) -> Value {
        // Not by its path alone, so that a pipe is a file too.
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() ?? Data() else {
            throw ReadError(path: path, reason: "cannot be read: it is not there, a folder, or not yours to read")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ReadError(path: path, reason: "cannot be read: it is not UTF-8")
        }
        do {
            return try StrictYAML.decode(type, from: text)
        } catch {
            throw ReadError(path: path, reason: error.reason)
        }
    }
}
