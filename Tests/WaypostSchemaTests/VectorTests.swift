import Foundation
import Testing
import WaypostSchema
import WireTypes

/// The current code reads everything that was ever written.
@Suite struct VectorTests {
    @Test func typesAndFilesCorrespond() throws {
        let files = try FileManager.default.contentsOfDirectory(at: Vector.folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "jsonl" }
            .map { $0.deletingPathExtension().lastPathComponent }
        #expect(files.sorted() == WireType.all.map(\.name).sorted())
    }

    @Test(arguments: WireType.all)
    func fileIsNotEmpty(of type: WireType) throws {
        #expect(try !Vector.all(of: type).isEmpty)
    }

    @Test(arguments: try Vector.all())
    func lineSurvivesCoding(_ vector: Vector) throws {
        let value = try vector.decoded()
        let again = try vector.type.decode(try value.json())
        #expect(again.isEqual(to: value), "\(again) from \(vector.text)")
    }

    @Test(arguments: try Vector.all())
    func unknownMemberChangesNothing(_ vector: Vector) throws {
        let extended = try vector.tree().setting("memberOfALaterVersion", to: .object(["name": .array([.null])]))
        let value = try vector.type.decode(try extended.json())
        #expect(value.isEqual(to: try vector.decoded()), "\(value) from \(vector.text)")
    }
}
