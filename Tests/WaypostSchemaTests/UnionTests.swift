import Testing
import WaypostSchema
import WireTypes

/// Schema and code agree on flat objects whose `type` determines their other members.
@Suite(.serialized) struct UnionTests {
    static let unions = [
        WireType(type: DeviceEvent.self), WireType(type: DeviceEffect.self), WireType(type: AppEvent.self),
    ]

    /// The unions, and a journal entry, which is an event and has its kinds.
    static let types = unions + [WireType(type: JournalEntry.self)]

    @Test(arguments: types)
    func everyKindHasAVector(_ type: WireType) throws {
        let kinds = try Vector.all(of: type).compactMap { try $0.tree()["type"]?.string }
        #expect(Set(kinds) == Set(try Self.kinds(of: type)))
    }

    @Test(arguments: unions)
    func everyKindHasItsOwnShape(_ type: WireType) throws {
        let shapes = try #require(try Self.definition(of: type)["oneOf"]).elements
        #expect(shapes.compactMap { $0["properties"]?["type"]?["const"]?.string } == (try Self.kinds(of: type)))
    }

    @Test(arguments: unions)
    func shapesHaveOnlyDescribedMembers(_ type: WireType) throws {
        let schema = try Schema.current()
        let shapes = try #require(try Self.definition(of: type)["oneOf"]).elements
        for shape in shapes {
            let members = Set((shape["properties"]?.members ?? [:]).keys)
            #expect(members.isSubset(of: schema.properties(of: type)))
            let required = Set(shape["required"]?.strings ?? [])
            #expect(required.isSubset(of: members))
        }
    }

    @Test(arguments: unions)
    func schemaAndCodeAgreeOnMembersOfAnotherKind(_ type: WireType) async throws {
        let kinds = try Self.kinds(of: type)
        try await SchemaValidator.expectThatCodeAgrees(
            on: try Vector.all(of: type).flatMap { vector in
                try kinds.map { try VectorVariant(vector, setting: "type", to: .string($0)) }
            }
        )
    }

    @Test(arguments: types)
    func schemaAndCodeAgreeOnValuesOfAnotherType(_ type: WireType) async throws {
        let values: [JSONValue] = [.bool(true), .integer(5), .string("clown on break"), .array([]), .object([:])]
        try await SchemaValidator.expectThatCodeAgrees(
            on: try Vector.all(of: type).flatMap { vector in
                try vector.tree().members.keys.sorted().flatMap { name in
                    try values.map { try VectorVariant(vector, setting: name, to: $0) }
                }
            }
        )
    }

    /// Members that a kind does not have are ignored, whatever their names.
    @Test(arguments: unions)
    func schemaAndCodeAgreeOnAdditionalMembers(_ type: WireType) async throws {
        let names = try Schema.current().properties(of: type).sorted()
        try await SchemaValidator.expectThatCodeAgrees(
            on: try Vector.all(of: type).flatMap { vector in
                let present = try vector.tree().members
                return try names.filter { present[$0] == nil }.map {
                    try VectorVariant(vector, setting: $0, to: .string("clown on break"))
                }
            }
        )
    }

    private static func definition(of type: WireType) throws -> JSONValue {
        let name = type.type == JournalEntry.self ? "DeviceEvent" : type.name
        return try #require(try Schema.current().definitions[name])
    }

    private static func kinds(of type: WireType) throws -> [String] {
        try #require(try definition(of: type)["properties"]?["type"]?["enum"]).strings
    }
}
