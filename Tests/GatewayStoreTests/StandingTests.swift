import GatewayStore
import Testing
import WaypostSchema

/// Tests of the standing of a token: the answer to senders, and the effect on stored notifications.
@Suite struct StandingTests {
    @Test(
        arguments: StoreEngine.allCases,
        [
            (.active, nil), (.unregistered, .unregistered(since: .seconds(7))),
            (.expired, .expired(since: .seconds(7))), (.wrongEnvironment, .wrongEnvironment(of: nil)),
        ] as [(TokenStanding, StoreRefusal?)]
    )
    func standingDeterminesTheRefusal(
        _ engine: StoreEngine,
        _ expected: (standing: TokenStanding, refusal: StoreRefusal?)
    ) async throws {
        try await engine.runExample { example in
            let changed = try await example.change("tablet", .standing(expected.standing, since: .seconds(7)))
            #expect(changed.agent == example.home)
            #expect(changed.changes == StoreChanges())
            #expect(changed.device.standing == expected.standing)
            #expect(changed.device.since == .seconds(7))
            #expect(try await example.store.device("tablet", in: .standard) == changed.device)
            #expect(try await example.refusal("tablet") == expected.refusal)
            let refusalOfTopic = expected.refusal ?? .wrongTopic(registered: ExampleStore.topics)
            #expect(try await example.refusal("tablet", "photos") == refusalOfTopic)
            #expect(try await example.refusal("phone") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func activeTokenTakesPrecedenceOverThatOfAnotherNamespace(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, _ in
            try await example.change("tablet", .standing(.unregistered, since: .seconds(200)))
            let found = try await example.store.registrations(of: ["tablet", "phone", "none"], withTopics: true)
            let phone = TokenRegistration(namespace: .standard, activeTopics: ExampleStore.topics)
            #expect(Set(found.keys) == ["phone", "tablet"])
            #expect(found["phone"] == phone)
            #expect(found["tablet"]?.namespace == "other")
            #expect(found["tablet"]?.activeTopics.isEmpty == false)
            let namespaces = try await example.store.registrations(of: ["phone"], withTopics: false)
            #expect(namespaces == ["phone": TokenRegistration(namespace: .standard, activeTopics: [])])
            #expect(try await example.store.registrations(of: [], withTopics: true).isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func inactiveTokenHasNoActiveTopics(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.change("tablet", .standing(.expired, since: .noon))
            let found = try await example.store.registrations(of: ["tablet"], withTopics: true)
            #expect(found == ["tablet": TokenRegistration(namespace: .standard, activeTopics: [])])
        }
    }

    @Test(arguments: StoreEngine.allCases, [TokenStanding.unregistered, .expired, .wrongEnvironment])
    func storedNotificationsLeaveWhenTheTokenBecomesInvalid(
        _ engine: StoreEngine,
        _ standing: TokenStanding
    ) async throws {
        try await engine.runExample { example in
            let taken = try await example.take(
                .example("n1"),
                .example("n2", to: "phone"),
                .example("n3", for: "notes", collapseID: "crusty"),
                .example("n4", to: "laptop")
            )
            let changes = try await example.change("tablet", .standing(standing, since: .noon)).changes
            #expect(changes.tally == Tally(removedByState: [.unregistered: 2], batches: [taken.number]))
            #expect(try await example.inbox() == ["n2"])
            #expect(try await example.inbox(example.away) == ["n4"])
            #expect(try await example.states() == [.stored: 2, .unregistered: 2])
        }
    }

    /// Senders learn late of the end, so what they sent before still arrives.
    @Test(arguments: StoreEngine.allCases)
    func storedNotificationsStayIfTheTokenIsUnregisteredLater(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            let late = try await example.change("tablet", .standing(.unregistered, since: .seconds(200))).changes
            #expect(late == StoreChanges())
            #expect(try await example.inbox() == ["n1"])
            #expect(try await example.refusal("tablet") == nil)
            // Another agent that takes the token over does not get them.
            let heir = NewDevice.example("tablet", .unknown, joins: false)
            let outcome = try await example.store.register(heir, in: .standard, at: .noon)
            #expect(outcome.registered?.changes.tally.removedByState == [.unregistered: 1])
            #expect(try await example.inbox().isEmpty)
        }
    }

    /// The end is another one then, and comes at once.
    @Test(arguments: StoreEngine.allCases)
    func storedNotificationsLeaveIfTheEarlierTimeIsSet(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            try await example.change("tablet", .standing(.unregistered, since: .seconds(200)))
            try await example.change("tablet", .standing(.unregistered, since: .noon))
            #expect(try await example.inbox().isEmpty)
            #expect(try await example.states() == [.unregistered: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases, [TokenStanding.unregistered, .expired, .wrongEnvironment])
    func tokenCanBecomeValidAgain(_ engine: StoreEngine, _ standing: TokenStanding) async throws {
        try await engine.runExample { example in
            try await example.take(.example("lost", collapseID: "crusty"))
            try await example.change("tablet", .standing(standing, since: .noon))
            let device = try await example.change("tablet", .standing(.active, since: .seconds(150))).device
            #expect(device == RegisteredDevice(token: "tablet", name: "", topics: device.topics, since: .seconds(150)))
            #expect(Set(device.topics) == ExampleStore.topics)
            let appended = try await example.take(.example("n1", collapseID: "crusty"), as: "later")
            #expect(appended.changes.tally == Tally())
            #expect(try await example.inbox() == ["n1"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func validTokenKeepsItsStoredNotifications(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            let changes = try await example.change("tablet", .standing(.active, since: .noon)).changes
            #expect(changes == StoreChanges())
            #expect(try await example.inbox() == ["n1"])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            DeviceChange.topics([]), .power(isLowPowerModeEnabled: false), .standing(.unregistered, since: .dawn),
            .rotation(to: "new"), .rotation(to: "tablet"),
        ]
    )
    func unknownTokenIsNotChanged(_ engine: StoreEngine, _ change: DeviceChange) async throws {
        try await engine.runExample { example async throws in
            #expect(try await example.store.updateDevice("nobody", in: .standard, with: change, at: .noon) == nil)
            #expect(try await example.store.updateDevice("tablet", in: "other", with: change, at: .noon) == nil)
            #expect(try await example.store.device("nobody", in: .standard) == nil)
            #expect(try await example.store.device("new", in: .standard) == nil)
        }
    }
}
