import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The OpenAPI description of an agent's APIs defines no objects of its own: it refers to the schema.
@Suite struct AgentOpenAPITests {
    private let text: String

    init() throws {
        text = try String(contentsOf: Repository.root.appending(path: "docs/openapi-agent.yaml"), encoding: .utf8)
    }

    @Test func everyReferenceLeadsToADefinitionOfTheSchema() throws {
        let definitions = try Schema.current().definitions
        let names = text.matches(of: /\$ref: \.\.\/Core\/WaypostSchema\/schema-v1\.json#\/\$defs\/(\w+)/).map {
            String($0.1)
        }
        #expect(Set(names).count >= 30)
        for name in names { #expect(definitions[name] != nil, "\(name)") }
    }

    @Test func everyOtherReferenceLeadsToAComponent() {
        let references = Set(text.matches(of: /\$ref: '#\/components\/(\w+)\/(\w+)'/).map { "\($0.1)/\($0.2)" })
        #expect(references.count >= 15)
        for reference in references {
            let name = reference.split(separator: "/")[1]
            #expect(text.contains("\n    \(name):\n"), "\(reference)")
        }
    }

    @Test func everythingIsImplemented() {
        #expect(!text.contains("x-status: planned"))
    }
}
