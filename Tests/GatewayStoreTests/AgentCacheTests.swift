import Testing
import WaypostSchema

@testable import GatewayStore

@Suite struct AgentCacheTests {
    private static let digest = SecretDigest(bytes: Array(repeating: 7, count: 32))
    private static let agent = AgentID(namespace: "a", number: 1)

    @Test func agentIsFoundUntilItsNamespaceIsReset() {
        var cache = AgentCache()
        #expect(cache.agent(withDigest: Self.digest) == nil)
        cache.insert(Self.agent, withDigest: Self.digest, readIn: 0)
        cache.invalidate("b")
        #expect(cache.agent(withDigest: Self.digest) == Self.agent)
        cache.invalidate("a")
        #expect(cache.agent(withDigest: Self.digest) == nil)
    }

    @Test func agentThatWasReadBeforeAResetIsNotRemembered() {
        var cache = AgentCache()
        let generation = cache.generation
        cache.invalidate("a")
        cache.insert(Self.agent, withDigest: Self.digest, readIn: generation)
        #expect(cache.agent(withDigest: Self.digest) == nil)
        cache.insert(Self.agent, withDigest: Self.digest, readIn: cache.generation)
        #expect(cache.agent(withDigest: Self.digest) == Self.agent)
    }

    @Test func replacedSecretIsForgotten() {
        var cache = AgentCache()
        cache.insert(Self.agent, withDigest: Self.digest, readIn: 0)
        let generation = cache.generation
        cache.remove(Self.digest)
        #expect(cache.agent(withDigest: Self.digest) == nil)
        // This read began before the secret was replaced.
        cache.insert(Self.agent, withDigest: Self.digest, readIn: generation)
        #expect(cache.agent(withDigest: Self.digest) == nil)
    }

    @Test func storeFindsNobodyAfterAReset() async throws {
        let store = try SQLiteStore.inMemory()
        let device = NewDevice(
            token: "c0ffee",
            name: "iPad",
            topics: ["com.example.clowntown"],
            digest: Self.digest,
            joins: false
        )
        _ = try await store.register(device, in: "a", at: Timestamp(milliseconds: 0))
        #expect(try await store.agent(withDigest: Self.digest)?.namespace == "a")
        #expect(try await store.agent(withDigest: Self.digest)?.namespace == "a")
        _ = try await store.reset("a")
        #expect(try await store.agent(withDigest: Self.digest) == nil)
    }
}
