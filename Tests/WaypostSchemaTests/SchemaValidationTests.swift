import Testing
import WaypostSchema

/// The schema says what was written, what is written, and what is refused.
@Suite(.serialized) struct SchemaValidationTests {
    @Test func everyVectorIsValid() async throws {
        try await expectThatAllAreValid(try Vector.all().map { VectorVariant($0, "as it is", text: $0.text) })
    }

    @Test func whatIsWrittenIsValid() async throws {
        let variants = try Vector.all().map { vector in
            VectorVariant(vector, "written again", text: try vector.decoded().json())
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

    @Test func codeReadsNullWhereTheSchemaAllowsIt() async throws {
        try await expectThatCodeAgrees { vector, name in
            // The code carries any payload; who takes one in checks that it is an object.
            name == "payload" ? nil : try VectorVariant(vector, setting: name, to: .null)
        }
    }

    /// Expects that today's code reads, of the variants by member, just those that are valid.
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
