import GatewayStore
import Testing
import WaypostSchema

/// Tests of registrations for a token that is already registered.
@Suite struct RegisteringAgainTests {
    @Test(arguments: StoreEngine.allCases, [SecretDigest.away, .unknown])
    func tokenOfAnotherAgentIsTaken(_ engine: StoreEngine, _ digest: SecretDigest) async throws {
        try await engine.runExample { example in
            let before = try await example.store.device("tablet", in: .standard)
            let thief = NewDevice.example("tablet", digest, name: "thief", joins: false)
            #expect(try await example.store.register(thief, in: .standard, at: .noon) == .tokenTaken)
            #expect(try await example.store.device("tablet", in: .standard) == before)
            #expect(try await example.store.agent(withDigest: .unknown) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func registeringAgainKeepsTheInbox(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", collapseID: "crusty"), .example("n2", to: "phone"))
            let outcome = try await example.store.register(.example("tablet", name: "new"), in: .standard, at: .noon)
            #expect(outcome == .registered(example.home, StoreChanges()))
            #expect(try await example.inbox() == ["n1", "n2"])
            let device = try await example.store.device("tablet", in: .standard)
            #expect(device?.name == "new")
            #expect(device?.since == .noon)
            try await example.take(.example("n3", collapseID: "crusty"), as: "later")
            #expect(try await example.inbox() == ["n2", "n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func registeringAgainReplacesTheTopics(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let taken = try await example.take(
                .example("n1"),
                .example("n2", for: "notes"),
                .example("n3", to: "phone")
            )
            let again = NewDevice.example("tablet", topics: ["photos", "notes"])
            let outcome = try await example.store.register(again, in: .standard, at: .noon)
            let expected = Tally(removedByState: [.unregistered: 1], batches: [taken.number])
            #expect(outcome.registered?.changes.tally == expected)
            #expect(try await example.inbox() == ["n2", "n3"])
            #expect(try await example.refusal("tablet", "clowns") == .wrongTopic(registered: ["notes", "photos"]))
            #expect(try await example.refusal("tablet", "photos") == nil)
            #expect(try await example.refusal("phone", "clowns") == nil)
        }
    }

    /// An agent registers its device again whenever its topics or its power mode change.
    @Test(
        arguments: StoreEngine.allCases,
        [
            (.unregistered, .unregistered(since: .dawn)), (.expired, .expired(since: .dawn)),
            (.wrongEnvironment, .wrongEnvironment(of: nil)),
        ] as [(TokenStanding, StoreRefusal)]
    )
    func registeringAgainKeepsTheStanding(
        _ engine: StoreEngine,
        _ expected: (standing: TokenStanding, refusal: StoreRefusal)
    ) async throws {
        try await engine.runExample { example in
            try await example.change("tablet", .standing(expected.standing, since: .dawn))
            for topics in [ExampleStore.topics, ["clowns"]] as [Set<Topic>] {
                let again = NewDevice.example("tablet", name: "new", topics: topics)
                let outcome = try await example.store.register(again, in: .standard, at: .noon)
                #expect(outcome == .registered(example.home, StoreChanges()))
                let device = try await example.store.device("tablet", in: .standard)
                #expect(device?.name == "new")
                #expect(device.map { Set($0.topics) } == topics)
                #expect(device?.standing == expected.standing)
                #expect(device?.since == .dawn)
                #expect(try await example.refusal("tablet") == expected.refusal)
            }
            try await example.change("tablet", .standing(.active, since: .noon))
            #expect(try await example.refusal("tablet") == nil)
        }
    }

    /// An agent that looks for a lost token of its own must not take one that another agent had.
    @Test(arguments: StoreEngine.allCases, [TokenStanding.active, .unregistered, .expired, .wrongEnvironment])
    func joiningDeviceTakesNoTokenOfAnotherAgent(_ engine: StoreEngine, _ standing: TokenStanding) async throws {
        try await engine.runExample { example in
            try await example.change("tablet", .standing(standing, since: .dawn))
            let before = try await example.store.device("tablet", in: .standard)
            let joining = NewDevice.example("tablet", .away, joins: true)
            #expect(try await example.store.register(joining, in: .standard, at: .noon) == .tokenTaken)
            #expect(try await example.store.device("tablet", in: .standard) == before)
        }
    }

    @Test(arguments: StoreEngine.allCases, [SecretDigest.away, .unknown])
    func invalidTokenCanBeTakenOver(_ engine: StoreEngine, _ digest: SecretDigest) async throws {
        try await engine.runExample { example in
            try await example.take(.example("lost"), .example("n1", to: "phone"))
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            try await example.change("tablet", .standing(.unregistered, since: .dawn))
            let heir = NewDevice.example("tablet", digest, name: "heir", topics: ["clowns"], joins: false)
            let outcome = try await example.store.register(heir, in: .standard, at: .noon)
            let agent = try #require(outcome.registered).agent
            #expect(agent != example.home)
            let expected = RegisteredDevice(token: "tablet", name: "heir", topics: ["clowns"], since: .noon)
            #expect(try await example.store.device("tablet", in: .standard) == expected)
            try await example.take(.example("n2"), as: "later")
            #expect(try await example.inbox(agent) == ["n2"])
            #expect(try await example.inbox() == ["n1"])
        }
    }
}
