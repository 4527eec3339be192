import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport
import WireTypes

/// The schema defines exactly the types of the code.
@Suite struct SchemaTests {
    private let schema: Schema

    init() throws {
        schema = try Schema.current()
    }

    @Test func everyObjectIsAWireType() {
        let objects = schema.names { $0["type"]?.string == "object" }
        #expect(objects == WireType.all.map(\.name).sorted())
    }

    @Test func everyOtherDefinitionIsAnIdentifierAClosedSetOrTheTimestamp() {
        let others = schema.names { $0["type"]?.string != "object" }
        let types =
            OpenSetTests.types.map { String(describing: $0) }
            + ClosedSetTests.cases.filter { $0.property == nil }.map(\.definition)
            + [String(describing: Timestamp.self)]
        #expect(others == types.sorted())
    }

    @Test func everyReferenceLeadsToADefinition() {
        let references = Self.references(in: schema.document)
        #expect(references.count >= 20)
        #expect(references.subtracting(schema.definitions.keys.map { "#/$defs/\($0)" }) == [])
    }

    @Test func identifierEndsWithTheVersion() {
        #expect(schema.document["$id"]?.string == "urn:waypost:schema:\(SchemaVersion.current)")
    }

    @Test func embeddedTextEqualsTheFile() throws {
        let file = Repository.root.appending(path: "Core/WaypostSchema/schema-v\(SchemaVersion.current).json")
        #expect(SchemaDocument.text == (try String(contentsOf: file, encoding: .utf8)))
    }

    private static func references(in tree: JSONValue) -> Set<String> {
        switch tree {
        case .object(let members):
            members.reduce(into: []) { found, member in
                if member.key == "$ref", let reference = member.value.string { found.insert(reference) }
                found.formUnion(references(in: member.value))
            }
        case .array(let elements):
            elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: []
        }
    }
}
