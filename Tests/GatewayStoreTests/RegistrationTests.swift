import GatewayStore
import Testing
import WaypostSchema

@Suite struct RegistrationTests {
    @Test(
        arguments: StoreEngine.allCases,
        [
            ("tablet", "clowns", nil),
            ("laptop", "notes", nil),
            ("tablet", "clowns.voip", .wrongTopic(registered: ExampleStore.topics)),
            ("tablet", "", .wrongTopic(registered: ExampleStore.topics)),
            ("Tablet", "clowns", .unknownToken),
            ("home", "clowns", .unknownToken),
            ("nobody", "nothing", .unknownToken),
        ] as [(DeviceToken, Topic, StoreRefusal?)]
    )
    func tokenAndTopicMustBeRegistered(
        _ engine: StoreEngine,
        _ asked: (token: DeviceToken, topic: Topic, refusal: StoreRefusal?)
    ) async throws {
        try await engine.runExample { example async throws in
            #expect(try await example.refusal(asked.token, asked.topic) == asked.refusal)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func deviceIsStoredAsItWasRegistered(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            let device = NewDevice(
                token: "watch",
                name: "Ann's \"watch\" \u{0}; 時計",
                topics: ["notes", "clowns", "a"],
                digest: .home,
                joins: false,
                environments: DeviceEnvironments(device: .sandbox, apps: ["clowns": .production]),
                purpose: TokenPurpose(.liveActivity, of: "clowns", name: "時\u{0}\"計")
            )
            let registered = try #require(try await store.register(device, in: .standard, at: .noon).registered)
            #expect(registered.changes == StoreChanges())
            #expect(registered.agent.namespace == .standard)
            let expected = RegisteredDevice(
                token: "watch",
                name: device.name,
                topics: ["a", "clowns", "notes"],
                since: .noon,
                environment: .sandbox,
                appEnvironments: ["clowns": .production],
                purpose: device.purpose
            )
            #expect(try await store.device("watch", in: .standard) == expected)
            let listed = try await store.devices(in: .standard, matching: DeviceFilter(), after: "", limit: 9)
            #expect(listed.map(\.device) == [expected])
            #expect(try await store.device("clock", in: .standard) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func deviceWithoutTopicsAcceptsNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            _ = try await example.store.join("watch", .home, topics: [])
            #expect(try await example.refusal("watch") == .wrongTopic(registered: []))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func agentIsIdentifiedByItsSecret(_ engine: StoreEngine) async throws {
        try await engine.runExample { example async throws in
            #expect(example.home != example.away)
            #expect(try await example.store.agent(withDigest: .home) == example.home)
            #expect(try await example.store.agent(withDigest: .away) == example.away)
            #expect(try await example.store.agent(withDigest: .unknown) == nil)
            #expect(try await example.store.agent(withDigest: SecretDigest(bytes: [])) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func devicesOfAnAgentShareItsInbox(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2", to: "laptop"), .example("n3", to: "phone"))
            #expect(try await example.inbox() == ["n1", "n3"])
            #expect(try await example.inbox(example.away) == ["n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func laterDeviceOfAnAgentKeepsTheInbox(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            let outcome = try await example.store.register(.example("watch"), in: .standard, at: .noon)
            #expect(outcome == .registered(example.home, StoreChanges()))
            try await example.take(.example("n2", to: "watch"), as: "later")
            #expect(try await example.inbox() == ["n1", "n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func joiningRequiresAnExistingAgent(_ engine: StoreEngine) async throws {
        try await engine.runExample { example async throws in
            let stranger = NewDevice.example("watch", .unknown)
            #expect(try await example.store.register(stranger, in: .standard, at: .noon) == .unknownSecret)
            #expect(try await example.store.device("watch", in: .standard) == nil)
            #expect(try await example.store.agent(withDigest: .unknown) == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases, [false, true])
    func knownSecretAlwaysJoinsItsAgent(_ engine: StoreEngine, joins: Bool) async throws {
        try await engine.runExample { example in
            let outcome = try await example.store.register(.example("watch", joins: joins), in: .standard, at: .noon)
            #expect(outcome.registered?.agent == example.home)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func purposeStaysUntilTheTokenIsRegisteredWithAnother(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            var device = NewDevice.example("watch", joins: false)
            device.purpose = TokenPurpose(.voip, of: "clowns")
            _ = try #require(try await store.register(device, in: .standard, at: .noon).registered)
            let changes: [DeviceChange] = [
                .power(isLowPowerModeEnabled: true), .standing(.active, since: .noon), .rotation(to: "clock"),
            ]
            for change in changes {
                let changed = try await store.updateDevice("watch", in: .standard, with: change, at: .noon)?.changed
                #expect(changed?.device.purpose == device.purpose)
            }
            (device.token, device.purpose) = ("clock", nil)
            _ = try #require(try await store.register(device, in: .standard, at: .noon).registered)
            let registered = try await store.device("clock", in: .standard)
            #expect(registered != nil && registered?.purpose == nil)
        }
    }
}
