import GatewayStore
import Testing
import WaypostSchema

@testable import StoreTestSupport

/// Steps that change registrations.
extension StoreWalk {
    private static let tokens: [DeviceToken] = ["a1", "a2", "b1", "c1"]

    private func digest(in namespace: Namespace) -> SecretDigest {
        let agent = element(of: [1, 1, 2, 3] as [UInt8])
        return SecretDigest(bytes: Array(namespace.rawValue.utf8) + Array(repeating: agent, count: 25))
    }

    func register(in namespace: Namespace) async throws {
        let device = NewDevice(
            token: isLucky(1, in: 4) ? token(in: namespace) : element(of: Self.tokens),
            name: "device \(count)",
            topics: someTopics(),
            digest: digest(in: namespace),
            joins: isLucky(1, in: 3),
            environments: isLucky(1, in: 4)
                ? DeviceEnvironments(device: .sandbox, apps: ["clowns": .production]) : DeviceEnvironments(),
            purpose: count.isMultiple(of: 5) ? TokenPurpose(.liveActivity, of: "clowns", name: "\(count)") : nil
        )
        let got = try await store.register(device, in: namespace, at: now)
        if let refusal = oracle.refusal(of: device, in: namespace) {
            seen.insert("\(refusal)")
            try #require(got == refusal, comment)
            return
        }
        let registered = try #require(got.registered, comment)
        if let known = oracle.agents[StoreOracle.Place(namespace, device.digest)] {
            try #require(registered.agent == known, comment)
        } else {
            try #require(registered.agent.namespace == namespace && registered.agent.number > lastAgent, comment)
            lastAgent = registered.agent.number
        }
        try expect(registered.changes, oracle.register(device, in: namespace, as: registered.agent, at: now))
    }

    func changeTopics(in namespace: Namespace) async throws {
        let topics = someTopics()
        try await change(.topics(topics), of: token(in: namespace), in: namespace) { oracle.setTopics(topics, of: $0) }
    }

    func changePower(in namespace: Namespace) async throws {
        let isLowPowerModeEnabled = isLucky(1, in: 2)
        try await change(.power(isLowPowerModeEnabled: isLowPowerModeEnabled), of: token(in: namespace), in: namespace)
        { place in
            oracle.setPower(isLowPowerModeEnabled: isLowPowerModeEnabled, of: place)
        }
    }

    func changeStanding(in namespace: Namespace) async throws {
        let standing = element(of: TokenStanding.allCases + [.active, .active, .active])
        let since = Timestamp(milliseconds: now.rawValue + (count.isMultiple(of: 4) ? 1_000 : -1_000))
        try await change(.standing(standing, since: since), of: token(in: namespace), in: namespace) { place in
            oracle.setStanding(standing, since: since, of: place, at: now)
        }
    }

    func purgeInbox(in namespace: Namespace) async throws {
        let topic = isLucky(1, in: 3) ? element(of: Self.topics) : nil
        try await change(.inboxPurge(of: topic), of: token(in: namespace), in: namespace) { place in
            let expected = oracle.purgeInbox(of: place, topic)
            if !expected.removals.isEmpty { seen.insert("purge") }
            return expected
        }
    }

    private func change(
        _ change: DeviceChange,
        of token: DeviceToken,
        in namespace: Namespace,
        expecting: (StoreOracle.Place<DeviceToken>) -> StoreOracle.Expectation
    ) async throws {
        let place = StoreOracle.Place(namespace, token)
        let got = try await store.updateDevice(token, in: namespace, with: change, at: now)
        guard oracle.devices[place] != nil else { return try #require(got == nil, comment) }
        let changed = try #require(got?.changed, comment)
        try expect(changed.changes, expecting(place))
        try #require(changed.agent == oracle.devices[place]?.agent, comment)
        try #require(changed.device == oracle.registered(place), comment)
    }

    func rotate(in namespace: Namespace) async throws {
        let old = token(in: namespace)
        let new = isLucky(3, in: 4) ? DeviceToken(rawValue: "token \(count)") : token(in: namespace)
        let isTaken = oracle.devices[StoreOracle.Place(namespace, new)] != nil
        let place = StoreOracle.Place(namespace, old)
        let got = try await store.updateDevice(old, in: namespace, with: .rotation(to: new), at: now)
        guard oracle.devices[place] != nil else { return try #require(got == nil, comment) }
        guard !isTaken else {
            seen.insert("rotation to a token that is taken")
            return try #require(got == .tokenTaken, comment)
        }
        seen.insert("rotation")
        let expected = oracle.rotate(place, to: new, at: now)
        let changed = try #require(got?.changed, comment)
        try expect(changed.changes, expected)
        try #require(changed.device == oracle.registered(StoreOracle.Place(namespace, new)), comment)
    }

    /// Gives each agent another secret and then its own again, which leaves the walk as it is.
    func rotateSecrets(in namespace: Namespace) async throws {
        let other = SecretDigest(bytes: Array(repeating: 9, count: 32))
        for place in oracle.agents.keys where place.namespace == namespace {
            for (old, new) in [(place.name, other), (other, place.name)] {
                let outcome = try await store.rotateSecret(from: old, to: new, in: namespace)
                let expected = oracle.rotateSecret(from: old, to: new, in: namespace)
                try #require(outcome == expected, comment)
                try #require(try await store.agent(withDigest: old) == nil, comment)
                let agent = oracle.agents[StoreOracle.Place(namespace, new)]
                try #require(try await store.agent(withDigest: new) == agent, comment)
            }
        }
    }

    func chooseStorage(in namespace: Namespace) async throws {
        let mode = element(of: StorageMode.allCases)
        let topic = element(of: Self.topics + ["clowns", "clowns"])
        let changes = try await store.setStorage(mode, for: topic, in: namespace, at: now)
        try expect(changes, oracle.setStorage(mode, for: topic, in: namespace))
    }

    func reset(_ namespace: Namespace) async throws {
        // The first namespace, in which most steps happen, is rarely reset.
        guard namespace != .standard || isLucky(1, in: 4) else { return }
        seen.insert("reset")
        let gone = try await store.reset(namespace)
        try #require(gone == oracle.reset(namespace), comment)
    }

    func setClock(of namespace: Namespace) async throws {
        try await store.setClock(of: namespace, to: now)
        oracle.namespaces.insert(namespace)
        oracle.clocks[namespace] = max(oracle.clocks[namespace] ?? now, now)
    }
}
