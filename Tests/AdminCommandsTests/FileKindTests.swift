import Foundation
import Testing
import WaypostTestSupport

@testable import AdminCommands

/// The schemas of the files that people write, and the examples that name them for editors.
@Suite struct FileKindTests {
    /// The YAML files in a folder and its folders.
    private static func files(in folder: URL) throws -> [URL] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".yaml") && !$0.contains(".build") }.map { folder.appending(path: $0) }
    }

    /// Returns the schema that a file names in its first line, or `nil` if it names none.
    private static func schema(of file: URL) throws -> URL? {
        let line = try String(contentsOf: file, encoding: .utf8).prefix { $0 != "\n" }
        let path = line.wholeMatch(of: #/# yaml-language-server: \$schema=(.+)/#)?.1
        return path.map { file.deletingLastPathComponent().appending(path: $0).standardizedFileURL }
    }

    @Test(arguments: FileKind.allCases) func schemaIsAnObjectWithATitle(_ kind: FileKind) throws {
        let document = try JSONSerialization.jsonObject(with: Data(try kind.schemaDocument().utf8)) as? [String: Any]
        #expect(document?["title"] is String)
        #expect((document?["properties"] as? [String: Any])?.isEmpty == false)
    }

    /// An included file of a scenario has no schema of its own, and Docker's file is not ours.
    @Test func everyExampleNamesTheSchemaOfItsKind() throws {
        let folder = Repository.root.appending(path: "docs/examples")
        let kinds: [String: FileKind] = [
            "plug-in.yaml": .app, "load": .load, "devices": .device, "ipad": .app, "mac": .app,
        ]
        let others = ["town/fleet.yaml", "compose/compose.yaml"]
        let files = try Self.files(in: folder).filter { file in !others.contains { file.path.hasSuffix($0) } }
        #expect(files.count > 30)
        for file in files {
            let folder = file.deletingLastPathComponent().lastPathComponent
            let expected = kinds[file.lastPathComponent] ?? kinds[folder] ?? .scenario
            let schema = try #require(try Self.schema(of: file), "\(file.path)")
            #expect(schema.lastPathComponent == "\(expected.rawValue).json", "\(file.path)")
            #expect(schema.deletingLastPathComponent().lastPathComponent == "schemas", "\(file.path)")
        }
    }

    @Test func schemasOfClownTownAreWrittenWithItsFiles() throws {
        let folder = try ScratchFolder()
        try ClownTown.write(to: URL(filePath: folder.path))
        let schemas = try Self.files(in: URL(filePath: folder.path)).compactMap(Self.schema)
        #expect(schemas.count == 6)
        for schema in schemas { #expect(FileManager.default.fileExists(atPath: schema.path), "\(schema.path)") }
    }
}
