import GatewayStore
import Testing
import WaypostSchema

@Suite struct EmptyStoreTests {
    @Test(arguments: StoreEngine.allCases)
    func storeStartsEmpty(_ engine: StoreEngine) async throws {
        try await engine.run { store async throws in
            #expect(try await store.namespaces().isEmpty)
            #expect(try await store.agent(withDigest: .home) == nil)
            #expect(try await store.device("tablet", in: .standard) == nil)
            #expect(try await store.batch("batch", in: .standard) == nil)
            #expect(try await store.stored(AgentID(namespace: .standard, number: 1)).isEmpty)
        }
    }

    @Test(arguments: [(.memory, .memory), (.sqlite, .fsync)] as [(StoreEngine, Durability)])
    func storeReportsTheDurabilityOfItsEngine(_ engine: StoreEngine, _ durability: Durability) async throws {
        try await engine.run { store in
            #expect(store.durability == durability)
        }
    }
}
