internal import DeviceModel
internal import Foundation
package import SchemaFiles
package import WaypostSchema
internal import Yams

/// A device file: a device, its apps and their scenes.
package struct DeviceFile {
    /// The device.
    package let description: DeviceDescription

    /// The content of the file.
    package var content: SchemaFile

    /// Reads a device file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: a schema with the definitions of the wire schema, such as that of device files.
    ///   - readsFiles: whether the files that it names can be read here, and not only on another machine.
    /// - Throws: `FileFindings` with all problems and their places.
    package init(_ path: String, _ schema: FileSchema, readsFiles: Bool = true) throws(FileFindings) {
        try self.init(recordingProblemsIn: path, schema, readsFiles: readsFiles)
        try content.throwProblems()
    }

    /// Reads a device file, also if no device can be created from it; `content` has the reasons.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - schema: a schema with the definitions of the wire schema, such as that of device files.
    ///   - readsFiles: whether the files that it names can be read here, and not only on another machine.
    /// - Throws: `FileFindings` if the schema does not accept the file.
    package init(
        recordingProblemsIn path: String,
        _ schema: FileSchema,
        readsFiles: Bool = true
    ) throws(FileFindings) {
        var content: SchemaFile
        do throws(FileFindings) {
            content = try SchemaFile(path, schema.rooted(at: "DeviceDescription"), as: .device, called: "a device file")
        } catch {
            throw Self.explaining(error, of: path)
        }
        var members = content.value.members
        for (index, problem) in members.embedContactPhotos(besides: path, readsFiles: readsFiles) {
            let contacts = content.text.root["contacts"]?.sequence.map(Array.init) ?? []
            let node = contacts.indices.contains(index) ? contacts[index] : content.text.root
            content.reader.report(problem, at: node["photo"] ?? node)
        }
        content.value = .object(members)
        description = try content.decoded()
        for error in description.errors { content.reader.report("\(error)", at: content.text.root.node(for: error)) }
        self.content = content
    }

    /// Files of other kinds, by a key that a device file does not have, with what they are for.
    private static let otherKinds: KeyValuePairs = [
        "steps": "a scenario, and not a device file; 'waypost scenario FILE' runs it",
        "devices": "a stack file, and not a device file; 'waypost up FILE' runs it",
        "bundleIdentifier": "an app file, and not a device file; a device file lists apps under 'apps'",
        "applinks": "an association file, and not a device file",
        "aps": "a payload, and not a device file",
    ]

    /// Returns the one problem that a file is of another kind, or its problems if it may be a device file.
    private static func explaining(_ error: FileFindings, of path: String) -> FileFindings {
        guard let root = try? FileText(file: path).root, root["apps"] == nil,
            let kind = otherKinds.first(where: { root[$0.key] != nil })
        else {
            return error
        }
        let place = SourcePlace(file: path, line: 1, column: 1)
        return FileFindings([FileFinding(place: place, message: "this is \(kind.value)")])
    }

    /// Records that another file describes a device of the same name.
    package mutating func reportName(_ name: String, alsoIn otherFile: String) {
        content.report("\(otherFile) describes a device '\(name)' too; names are unique", at: "name")
    }

    /// Returns the paths of the device files at `path`: the file itself, or the files in a folder whose names end in
    /// `.yaml`, `.yml` or `.json`, sorted by name.
    ///
    /// - Throws: `FileFindings` if a folder has no such file.
    package static func paths(at path: String) throws(FileFindings) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
        let files = names.filter { name in [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) } }
        guard files.isEmpty else { return files.sorted().map { URL(filePath: path).appending(path: $0).path } }
        let place = SourcePlace(file: path, line: 1, column: 1)
        let message = "the folder has no file whose name ends in .yaml, .yml or .json"
        throw FileFindings([FileFinding(place: place, message: message)])
    }
}

extension FileSchema {
    /// Returns the schema of device files.
    ///
    /// - Throws: `JSONError` if it is damaged.
    package static func device() throws -> Self {
        let text = ##"{"title": "A device, its apps and their scenes", "$ref": "#/$defs/DeviceDescription"}"##
        return try Self(Array(text.utf8))
    }
}

extension FileText.Kind {
    fileprivate static let device = Self(hint: "a device file is an object with 'name' and 'apps'")
}
