internal import CFileSchemas
internal import Foundation
internal import LocalFiles
internal import SchemaFiles
internal import Yams

/// The file that stores a user's contexts; its path follows the XDG Base Directory Specification.
struct ContextsStorage {
    /// The path of the file.
    let path: String

    /// Finds the path of the file in the environment.
    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let home = value("HOME") ?? NSHomeDirectory()
        path = value("WAYPOST_SETTINGS") ?? (value("XDG_CONFIG_HOME") ?? home + "/.config") + "/waypost/settings.yaml"
    }

    /// Returns the contents of the file; without a file, there are no contexts.
    ///
    /// - Throws: `CommandFailure` that names the file, and the line and column of each problem.
    func read() throws(CommandFailure) -> ContextsFile {
        guard FileManager.default.fileExists(atPath: path) else { return ContextsFile() }
        do {
            return try ContextsFile(path, .contexts())
        } catch {
            throw CommandFailure(error) ?? .unusable("\(path): \(error)")
        }
    }

    /// Writes the file, which only the user may read.
    ///
    /// - Throws: `CommandFailure` if that is not possible; the file has not changed then.
    func write(_ file: ContextsFile) throws(CommandFailure) {
        do {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(try file.yaml().utf8).write(to: URL(filePath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw .unusable("\(path): cannot be written: \(SystemError.reason(of: error))")
        }
    }
}

extension ContextsFile {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: the schema of files of contexts.
    /// - Throws: `FileFindings` with all problems and their places.
    init(_ path: String, _ schema: FileSchema) throws(FileFindings) {
        self = try SchemaFile(path, schema, as: .contexts, called: "the file").decoded()
    }

    /// Returns the text of the file.
    ///
    /// - Throws: `YamlError` if there is no memory for it.
    func yaml() throws -> String {
        let encoder = YAMLEncoder()
        encoder.options.sortKeys = true
        return try encoder.encode(self)
    }
}

extension FileSchema {
    /// Returns the schema of the file in which a user keeps contexts.
    ///
    /// - Throws: `JSONError` if it is damaged.
    static func contexts() throws -> Self {
        try Self(embedded: waypost_contexts_schema)
    }
}

extension FileText.Kind {
    fileprivate static let contexts = Self(hint: "a file of contexts is an object with 'context' and 'contexts'")
}
