import Testing
import WaypostSchema

/// The schema agrees with the vectors, with encoded values and with the errors of the code.
@Suite(.serialized) struct SchemaValidationTests {
    @Test func everyVectorIsValid() async throws {
        try await expectThatAllAreValid(try Vector.all().map { VectorVariant($0, "unchanged", text: $0.text) })
    }

    @Test func encodedValueIsValid() async throws {
        let variants = try Vector.all().map { vector in
            VectorVariant(vector, "encoded again", text: try vector.decoded().json())
        }
        try await expectThatAllAreValid(variants)
    }

    @Test func vectorWithoutARequiredMemberIsInvalid() async throws {
        let schema = try Schema.current()
        let variants = try Vector.all().flatMap { vector in
            try schema.required(of: vector.type).sorted().map { try VectorVariant(vector, setting: $0, to: nil) }
        }
        #expect(variants.count > 200)
        for (variant, error) in try await SchemaValidator.judged(variants) {
            #expect(error?.contains("is a required property") == true, "\(variant)")
        }
    }

    @Test func codeRequiresWhatTheSchemaRequires() async throws {
        try await expectThatCodeAgrees { vector, name in try VectorVariant(vector, setting: name, to: nil) }
    }

    @Test func codeAcceptsNullIfTheSchemaAllowsIt() async throws {
        try await expectThatCodeAgrees { vector, name in
            // The code accepts any payload; the gateway checks that it is an object when it ingests a notification.
            name == "payload" ? nil : try VectorVariant(vector, setting: name, to: .null)
        }
    }

    /// Expects that the current code decodes exactly the valid variants.
    private func expectThatCodeAgrees(on variant: (Vector, String) throws -> VectorVariant?) async throws {
        let variants = try Vector.all().flatMap { vector in
            try vector.tree().members.keys.sorted().compactMap { try variant(vector, $0) }
        }
        try await SchemaValidator.expectThatCodeAgrees(on: variants)
    }

    private func expectThatAllAreValid(_ variants: [VectorVariant]) async throws {
        for (variant, error) in try await SchemaValidator.judged(variants) {
            #expect(error == nil, "\(variant)")
        }
    }
}
