import Testing
import WaypostSchema

@testable import GatewayStore

@Suite struct AgentCacheTests {
    private static let digest = SecretDigest(bytes: Array(repeating: 7, count: 32))
    private static let agent = AgentID(namespace: "a", number: 1)

    @Test func agentIsFoundUntilItsNamespaceIsReset() {
        var cache = AgentCache()
        #expect(cache.agent(with: Self.digest) == nil)
        cache.remember(Self.agent, with: Self.digest, readAfter: 0)
        cache.forget("b")
        #expect(cache.agent(with: Self.digest) == Self.agent)
        cache.forget("a")
        #expect(cache.agent(with: Self.digest) == nil)
    }

    @Test func agentThatWasReadBeforeAResetIsNotRemembered() {
        var cache = AgentCache()
        let resets = cache.resets
        cache.forget("a")
        cache.remember(Self.agent, with: Self.digest, readAfter: resets)
        #expect(cache.agent(with: Self.digest) == nil)
        cache.remember(Self.agent, with: Self.digest, readAfter: cache.resets)
        #expect(cache.agent(with: Self.digest) == Self.agent)
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
        #expect(try await store.agent(with: Self.digest)?.namespace == "a")
        #expect(try await store.agent(with: Self.digest)?.namespace == "a")
        _ = try await store.reset("a")
        #expect(try await store.agent(with: Self.digest) == nil)
    }
}
