import GatewayStore
import Testing
import WaypostSchema

/// Tests of broadcast channels and their subscribers, on every engine.
@Suite(.timeLimit(.minutes(5))) struct ChannelTests {
    private static let news = BroadcastChannel(
        id: "bmV3cw==",
        app: "com.example.clowntown",
        environment: .sandbox,
        policy: .newest,
        message: BroadcastChannel.Message(id: "m1", priority: 5, expiration: 1_800_000_000, payload: [123, 125])
    )
    private static let scores = BroadcastChannel(id: "c2NvcmVz", app: "com.example.clowntown", policy: .nothing)
    private static let noon = Timestamp(milliseconds: 1_790_000_000_000)

    private static func register(
        _ token: DeviceToken,
        _ topics: Set<Topic> = [news.topic],
        in store: any GatewayStore
    ) async throws {
        let digest = SecretDigest(bytes: Array("agent of \(token)".utf8))
        let device = NewDevice(token: token, name: "iPad", topics: topics, digest: digest, joins: false)
        _ = try await store.register(device, in: .standard, at: noon)
    }

    @Test(arguments: StoreEngine.allCases) func channelsAreKeptUntilTheyAreRemoved(_ engine: StoreEngine) async throws {
        let session = try await StoreSession(engine)
        var (other, silent) = (Self.scores, Self.news)
        silent.message = nil
        other.id = "b3RoZXI="
        for channel in [Self.scores, Self.news] { try await session.store.add(channel, in: .standard) }
        try await session.store.add(other, in: "elsewhere")
        if session.outlivesItsProcess { try session.reopen() }
        let ids: Set = [Self.news.id, Self.scores.id, other.id, "bm9uZQ=="]
        #expect(
            try await session.store.channels(ids) == [
                Self.news.id: ChannelRecord(Self.news, in: .standard),
                Self.scores.id: ChannelRecord(Self.scores, in: .standard),
                other.id: ChannelRecord(other, in: "elsewhere"),
            ]
        )
        #expect(try await session.store.channels(of: Self.news.app, in: .standard) == [silent, Self.scores])
        #expect(try await session.store.channels(of: "com.example.nothing", in: .standard).isEmpty)
        #expect(try await session.store.removeChannel(Self.scores.id, in: .standard))
        #expect(try await !session.store.removeChannel(Self.scores.id, in: .standard))
        #expect(try await !session.store.removeChannel(Self.news.id, in: "nowhere"))
        #expect(try await session.store.channels(of: Self.news.app, in: .standard) == [silent])
        _ = try await session.store.reset("elsewhere")
        #expect(try await session.store.channels(ids).keys.elementsEqual([Self.news.id]))
        try session.close()
    }

    @Test(arguments: StoreEngine.allCases) func newestMessageOfAChannelIsKept(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.add(Self.scores, in: .standard)
            let message = BroadcastChannel.Message(
                id: "m2",
                priority: 10,
                expiration: 1_800_000_001,
                payload: [91, 93]
            )
            #expect(try await store.storeMessage(message, of: Self.scores, in: .standard).isEmpty)
            #expect(try await store.channels([Self.scores.id])[Self.scores.id]?.channel.message == message)
            #expect(try await store.storeMessage(nil, of: Self.scores, in: .standard).isEmpty)
            #expect(try await store.channels([Self.scores.id])[Self.scores.id]?.channel.message == message)
            #expect(try await store.channels(of: Self.scores.app, in: .standard) == [Self.scores])
            // A device that subscribes later gets it.
            try await Self.register("aa", in: store)
            let added = try await store.subscribe("aa", to: [Self.scores.id], in: .standard)
            #expect(added?.map(\.message) == [message])
            #expect(try await store.storeMessage(message, of: Self.scores, in: .standard) == ["aa"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func appHasALimitOfChannelsInEachEnvironment(
        _ engine: StoreEngine
    ) async throws {
        try await engine.run { store in
            var channels = (0..<5).map { number in
                BroadcastChannel(id: ChannelID(rawValue: "\(number)"), app: Self.news.app, policy: .nothing)
            }
            channels[3].environment = .sandbox
            channels[4].app = "com.example.other"
            var added: [Bool] = []
            for channel in channels { added.append(try await store.addChannel(channel, in: .standard, limit: 2)) }
            #expect(added == [true, true, false, true, true])
            #expect(try await store.addChannel(channels[2], in: "elsewhere", limit: 2))
            #expect(try await store.channels(of: Self.news.app, in: .standard).count == 3)
        }
    }

    @Test(arguments: StoreEngine.allCases) func newSubscriptionsReplaceTheEarlierOnes(
        _ engine: StoreEngine
    ) async throws {
        try await engine.run { store in
            try await Self.register("aa", in: store)
            for channel in [Self.news, Self.scores] { try await store.add(channel, in: .standard) }
            let both: Set = [Self.news.id, Self.scores.id]
            #expect(try await store.subscribe("aa", to: [Self.news.id], in: .standard) == [Self.news])
            #expect(try await store.subscribe("aa", to: both, in: .standard) == [Self.scores])
            #expect(try await store.subscriptions(of: "aa", in: .standard) == both)
            #expect(try await store.subscribe("aa", to: [], in: .standard) == [])
            #expect(try await store.subscriptions(of: "aa", in: .standard).isEmpty)
            #expect(try await store.subscribe("bb", to: both, in: .standard) == nil)
            #expect(try await store.subscribe("aa", to: both, in: "elsewhere") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases) func onlyDevicesThatAcceptTheTopicAreSubscribers(
        _ engine: StoreEngine
    ) async throws {
        try await engine.run { store in
            let tokens: [DeviceToken] = ["ff", "aa", "cc"]
            for token in tokens { try await Self.register(token, in: store) }
            try await Self.register("dd", [Self.news.app], in: store)
            for token in tokens + ["dd"] { _ = try await store.subscribe(token, to: [Self.news.id], in: .standard) }
            try await store.add(Self.news, in: .standard)
            #expect(try await store.storeMessage(nil, of: Self.news, in: .standard) == tokens)
            #expect(try await store.storeMessage(nil, of: Self.scores, in: .standard).isEmpty)
            #expect(try await store.storeMessage(nil, of: Self.news, in: "elsewhere").isEmpty)
            // A rotated token keeps its channels. An invalid token loses them, even if it becomes valid again.
            _ = try await store.updateDevice("ff", in: .standard, with: .rotation(to: "ee"), at: Self.noon)
            for standing in [TokenStanding.unregistered, .active] {
                _ = try await store.updateDevice(
                    "aa",
                    in: .standard,
                    with: .standing(standing, since: Self.noon),
                    at: Self.noon
                )
            }
            #expect(try await store.storeMessage(nil, of: Self.news, in: .standard) == ["ee", "cc"])
            #expect(try await store.removeChannel(Self.news.id, in: .standard))
            #expect(try await store.subscriptions(of: "cc", in: .standard).isEmpty)
        }
    }
}

extension ChannelTests {
    /// Registers a token of an app, which joins the agent of `aa`.
    private static func registerAppToken(
        _ token: DeviceToken,
        _ kind: TokenPurpose.Kind,
        on name: String,
        in store: any GatewayStore
    ) async throws {
        let device = NewDevice(
            token: token,
            name: name,
            topics: [kind == .app ? news.app : news.topic],
            digest: SecretDigest(bytes: Array("agent of aa".utf8)),
            joins: true,
            purpose: TokenPurpose(kind, of: "com.example.clowntown")
        )
        _ = try await store.register(device, in: .standard, at: noon)
    }

    @Test(arguments: StoreEngine.allCases) func tokenOfAnAppMakesItsDeviceASubscriber(
        _ engine: StoreEngine
    ) async throws {
        try await engine.run { store in
            try await store.add(Self.news, in: .standard)
            // A device of another agent has the same name.
            for token in ["aa", "bb"] as [DeviceToken] {
                try await Self.register(token, ["com.example.other"], in: store)
                _ = try await store.subscribe(token, to: [Self.news.id], in: .standard)
            }
            try await Self.registerAppToken("a0", .app, on: "iPad", in: store)
            try await Self.registerAppToken("a1", .pushToStart, on: "iPhone", in: store)
            #expect(try await store.appTopics(ofDeviceWith: "aa", in: .standard) == [Self.news.app])
            #expect(try await store.storeMessage(nil, of: Self.news, in: .standard).isEmpty)
            try await Self.registerAppToken("a2", .pushToStart, on: "iPad", in: store)
            #expect(try await store.appTopics(ofDeviceWith: "aa", in: .standard) == [Self.news.app, Self.news.topic])
            #expect(try await store.appTopics(ofDeviceWith: "bb", in: .standard).isEmpty)
            #expect(try await store.appTopics(ofDeviceWith: "aa", in: "elsewhere").isEmpty)
            #expect(try await store.storeMessage(nil, of: Self.news, in: .standard) == ["aa"])
            // It ends when the app is removed.
            let end = DeviceChange.standing(.unregistered, since: Self.noon)
            _ = try await store.updateDevice("a2", in: .standard, with: end, at: Self.noon)
            #expect(try await store.appTopics(ofDeviceWith: "aa", in: .standard) == [Self.news.app])
            #expect(try await store.storeMessage(nil, of: Self.news, in: .standard).isEmpty)
        }
    }
}

extension GatewayStore {
    /// Stores a channel of an app that may have any number.
    fileprivate func add(_ channel: BroadcastChannel, in namespace: Namespace) async throws {
        #expect(try await addChannel(channel, in: namespace, limit: .max))
    }
}
