import Testing
import WaypostSchema
import WireTypes

/// The members that the code decodes and encodes are those of the schema.
@Suite struct MemberTests {
    private let schema: Schema

    init() throws {
        schema = try Schema.current()
    }

    @Test(arguments: WireType.all)
    func typeDecodesThePropertiesOfItsDefinition(_ type: WireType) throws {
        let asked = try Self.keys(askedForBy: type)[[]]
        let properties = schema.properties(of: type)
        #expect(!properties.isEmpty)
        #expect(asked == properties)
    }

    @Test(arguments: WireType.all)
    func typeEncodesThePropertiesOfItsDefinition(_ type: WireType) throws {
        let written = try Vector.all(of: type).reduce(into: Set<String>()) { written, vector in
            let text = try vector.decoded().json()
            written.formUnion(try JSONValue(json: text).members.keys)
        }
        #expect(written == schema.properties(of: type))
    }

    @Test func keysOfADictionaryAreAtItsPath() throws {
        let keys = try Self.keys(askedForBy: WireType(type: BatchStatus.self))
        #expect(keys[[]] == schema.properties(of: WireType(type: BatchStatus.self)))
        #expect(try #require(keys[["states"]]).isSuperset(of: ["stored", "acknowledged"]))
    }

    @Test func keysOfNestedTypesAreAtTheirPath() throws {
        let keys = try Self.keys(askedForBy: WireType(type: AppDescription.self))
        #expect(keys[["scenes", "0"]] == schema.properties(of: WireType(type: SceneSession.self)))
    }

    @Test func keysOfAnInlineObjectAreThoseOfItsDefinition() throws {
        let keys = try Self.keys(askedForBy: WireType(type: DisambiguationMenu.self))
        let choice = schema.definitions["DisambiguationMenu"]?["properties"]?["choices"]?["items"]
        let properties = try #require(choice?["properties"]).members.keys.sorted()
        #expect(properties == ["conversation", "title"])
        #expect(keys[["choices", "0"]]?.sorted() == properties)
        #expect(choice?["required"]?.strings.sorted() == properties)
    }

    @Test(arguments: try Vector.all())
    func recordingDecoderAgreesWithFoundation(_ vector: Vector) throws {
        let value = try vector.type.decode(from: KeyRecordingDecoder(tree: try vector.tree(), record: KeyRecord()))
        #expect(value.isEqual(to: try vector.decoded()), "\(value) from \(vector.text)")
    }

    /// Returns the keys that `type` requests in all its vectors, by path.
    private static func keys(askedForBy type: WireType) throws -> [[String]: Set<String>] {
        let record = KeyRecord()
        for vector in try Vector.all(of: type) {
            _ = try type.decode(from: KeyRecordingDecoder(tree: try vector.tree(), record: record))
        }
        return record.keys
    }
}
