import Testing
import WaypostSchema

/// The API's description has the objects of the schema.
@Suite struct OpenAPITests {
    private let openAPI: OpenAPISchemas
    private let schema: Schema

    init() throws {
        openAPI = try OpenAPISchemas.current()
        schema = try Schema.current()
    }

    @Test func mostTypesAreDescribed() throws {
        #expect(try Self.described().count >= 20)
    }

    @Test(arguments: try described())
    func propertiesAreThoseOfTheSchema(_ type: WireType) throws {
        let properties = try #require(openAPI.names(in: "properties", of: type.name))
        #expect(properties.sorted() == schema.properties(of: type).sorted())
    }

    @Test(arguments: try described())
    func requiredPropertiesAreThoseOfTheSchema(_ type: WireType) {
        let required = openAPI.names(in: "required", of: type.name) ?? []
        #expect(required.sorted() == schema.required(of: type).sorted())
    }

    @Test(arguments: ["DeliveryState", "SceneState"])
    func namesOfAClosedSetAreThoseOfTheSchema(_ name: String) throws {
        let names = try #require(openAPI.names(in: "enum", of: name))
        #expect(names == schema.definitions[name]?["enum"]?.strings)
    }

    /// The wire types that the API's description has.
    private static func described() throws -> [WireType] {
        let openAPI = try OpenAPISchemas.current()
        return WireType.all.filter { openAPI.names(in: "properties", of: $0.name) != nil }
    }
}
