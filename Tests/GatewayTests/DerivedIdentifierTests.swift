import GatewayStore
import Testing
import TextBasics
import WaypostSchema

@testable import Gateway

@Suite struct DerivedIdentifierTests {
    static func key(_ key: String, body: UInt8 = 1) -> IdempotencyKey {
        IdempotencyKey(key: key, fingerprint: [body])
    }

    @Test func itemIdentifierDependsOnNamespaceKeyBodyAndIndex() {
        let first = ItemIdentifiers.derived(from: Self.key("key"), in: .standard, index: 7)
        #expect(first == ItemIdentifiers.derived(from: Self.key("key"), in: .standard, index: 7))
        let others = [
            ItemIdentifiers.derived(from: Self.key("key2"), in: .standard, index: 7),
            ItemIdentifiers.derived(from: Self.key("key"), in: "other", index: 7),
            ItemIdentifiers.derived(from: Self.key("key"), in: .standard, index: 8),
            ItemIdentifiers.derived(from: Self.key("ke"), in: .standard, index: 7),
            ItemIdentifiers.derived(from: Self.key("key", body: 2), in: .standard, index: 7),
        ]
        #expect(Set(others + [first]).count == 6)
    }

    @Test(arguments: 0..<100) func itemIdentifierIsAVersion8UUID(_ index: Int) {
        let groups = ItemIdentifiers.derived(from: Self.key("k"), in: "n", index: index).rawValue.split(separator: "-")
        #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
        #expect(groups.joined().allSatisfy { "0123456789abcdef".contains($0) })
        #expect(groups[2].first == "8")
        #expect(groups[3].first.map { "89ab".contains($0) } == true)
    }

    @Test func fingerprintDistinguishesBodiesAndAtomicity() {
        let body = Array("body".utf8)
        let fingerprint = BatchFingerprint.make(body, isAtomic: false)
        #expect(fingerprint == BatchFingerprint.make(body, isAtomic: false))
        #expect(fingerprint != BatchFingerprint.make(body, isAtomic: true))
        #expect(fingerprint != BatchFingerprint.make(body + [0], isAtomic: false))
        #expect(BatchFingerprint.make(body + [1], isAtomic: false) != BatchFingerprint.make(body, isAtomic: true))
    }

    @Test func secretDigestIsItsSHA256() {
        // FIPS 180-2, appendix B.1.
        let digest = SecretDigest(of: "abc")
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Hexadecimal.string(digest.bytes) == expected)
    }
}
