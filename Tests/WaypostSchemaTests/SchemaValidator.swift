import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport
import WireTypes

/// Python's jsonschema, which is independent of the code.
enum SchemaValidator {
    /// Expects that the current code decodes exactly the variants that the schema allows.
    static func expectThatCodeAgrees(on variants: [VectorVariant]) async throws {
        for (variant, error) in try await judged(variants) {
            #expect(variant.isRead == (error == nil), "\(variant): \(error ?? "valid")")
        }
    }

    /// Returns each variant with the schema's error, or `nil` if it is valid.
    static func judged(_ variants: [VectorVariant]) async throws -> [(VectorVariant, error: String?)] {
        let errors = try await errors(of: variants)
        try #require(errors.count == variants.count && !errors.isEmpty)
        return zip(variants, errors).map { ($0, error: $1) }
    }

    /// Returns the schema's error for each variant, or `nil` if it is valid.
    ///
    /// One run of Python checks all variants, and fails if the schema itself is invalid.
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

    /// Checked first, so that no input is written to a missing program.
    private static let isInstalled = ExternalCommand.succeeds([python, "-c", "import jsonschema"])

    private static let script = """
        import json, sys
        from jsonschema import Draft202012Validator

        request = json.load(sys.stdin.buffer)
        schema = json.loads(request["schema"])
        Draft202012Validator.check_schema(schema)

        # A validator remembers what it has resolved, so each type has one for all of its documents.
        validators = {}

        def validator(type):
            if type not in validators:
                validators[type] = Draft202012Validator(dict(schema, **{"$ref": "#/$defs/" + type}))
            return validators[type]

        def error(document):
            errors = validator(document["type"]).iter_errors(json.loads(document["text"]))
            return next((error.json_path + ": " + error.message for error in errors), None)

        json.dump([error(document) for document in request["documents"]], sys.stdout)
        """
}
