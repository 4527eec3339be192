import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Python's jsonschema, which knows nothing of our code.
enum SchemaValidator {
    /// Expects that today's code reads just those of the variants that the schema allows.
    static func expectThatCodeAgrees(on variants: [VectorVariant]) async throws {
        for (variant, error) in try await judged(variants) {
            #expect(variant.isRead == (error == nil), "\(variant): \(error ?? "valid")")
        }
    }

    /// Returns each variant with why the schema refuses it; `nil` where it does not.
    static func judged(_ variants: [VectorVariant]) async throws -> [(VectorVariant, error: String?)] {
        let errors = try await errors(of: variants)
        try #require(errors.count == variants.count && !errors.isEmpty)
        return zip(variants, errors).map { ($0, error: $1) }
    }

    /// Returns, for each variant, why the schema refuses it; `nil` where it does not.
    ///
    /// All are asked about in one run of Python, which ends with an error where the schema itself is none.
    private static func errors(of variants: [VectorVariant]) async throws -> [String?] {
        try #require(isInstalled, "Python's jsonschema is missing: Debian package python3-jsonschema")
        let documents = variants.map { Request.Document(type: $0.vector.type.name, text: $0.text) }
        let request = try Request(schema: SchemaDocument.text, documents: documents).json()
        let answer = try await ExternalCommand.run([python, "-c", script], input: Data(request.utf8))
        return try JSONDecoder().decode([String?].self, from: answer)
    }

    private struct Request: Encodable {
        struct Document: Encodable {
            let type: String
            let text: String
        }

        let schema: String
        let documents: [Document]
    }

    private static let python = "/usr/bin/python3"

    /// Asked before a program that is not there is given anything to read.
    private static let isInstalled = ExternalCommand.succeeds([python, "-c", "import jsonschema"])

    private static let script = """
        import json, sys
        from jsonschema import Draft202012Validator

        request = json.load(sys.stdin.buffer)
        schema = json.loads(request["schema"])
        Draft202012Validator.check_schema(schema)

        def error(document):
            definition = dict(schema, **{"$ref": "#/$defs/" + document["type"]})
            errors = Draft202012Validator(definition).iter_errors(json.loads(document["text"]))
            return next((error.json_path + ": " + error.message for error in errors), None)

        json.dump([error(document) for document in request["documents"]], sys.stdout)
        """
}
