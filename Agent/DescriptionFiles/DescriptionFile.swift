internal import Foundation

/// A file that a user writes to describe something, in YAML or in JSON, which is part of YAML.
package enum DescriptionFile {
    /// The reason why a file cannot be used; its description names the file and the place.
    package struct ReadError: Error, Sendable, Equatable, CustomStringConvertible {
        /// The file.
        package let path: String

        /// The problem and its place.
        package let reason: String

        /// A description of the error.
        package var description: String {
            "\(path): \(reason)"
        }

        /// Creates the value from its parts.
        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }
    }

    /// Returns the paths of the description files at `path`: the file itself, or the files in a folder whose names end
    /// in `.yaml`, `.yml` or `.json`, sorted by name.
    ///
    /// - Throws: `ReadError` if a folder has no such file.
    package static func files(at path: String) throws(ReadError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
        let files = names.filter { name in [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) } }
        guard !files.isEmpty else {
            throw ReadError(path: path, reason: "the folder has no file whose name ends in .yaml, .yml or .json")
        }
        return files.sorted().map { URL(filePath: path).appending(path: $0).path }
    }

    /// Returns the value that the file at `path` describes.
    ///
    /// - Throws: `ReadError` if the file cannot be read, or has an unknown key: in a file that a user wrote, that is a
    ///   misspelling.
    package static func read<Value: Codable>(_ type: Value.Type, from path: String) throws(ReadError) -> Value {
        // A file handle can also read a pipe.
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() ?? Data() else {
            throw ReadError(path: path, reason: "cannot be read: it does not exist, is a folder, or denies access")
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
