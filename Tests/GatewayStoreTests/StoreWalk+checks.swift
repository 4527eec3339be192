import GatewayStore
import PushRules
import Testing
import WaypostSchema

@testable import StoreTestSupport

/// The checks after each step.
extension StoreWalk {
    /// Expects the predicted changes, and learns the sequences of removed notifications.
    func expect(_ changes: StoreChanges, _ expected: StoreOracle.Expectation) throws {
        try #require(changes.nudges.isEmpty && changes.rewinds == expected.rewinds, comment)
        try #require(changes.batches == expected.batches, comment)
        try #require(changes.removals.count == expected.removals.count, comment)
        let removals = changes.removals.sorted { $0.sequence < $1.sequence }
        for (departure, (item, state)) in zip(removals, expected.removals.sorted { $0.item.rank < $1.item.rank }) {
            try #require(departure.agent == item.agent, comment)
            try #require(departure.batch == item.batch, comment)
            try #require(departure.state == state, comment)
            try learn(departure.sequence, of: item.rank)
            seen.insert("\(state)")
        }
    }

    /// Expects the predicted page of an inbox, and learns its sequences.
    func expect(_ page: [StoredNotification], _ items: [StoreOracle.Item]) throws {
        try #require(page.map(\.notification) == items.map(\.notification), comment)
        try #require(page.map(\.batch) == items.map(\.batch), comment)
        for (stored, item) in zip(page, items) { try learn(stored.sequence, of: item.rank) }
    }

    /// Expects that sequences grow with ranks, and that neither changes.
    private func learn(_ sequence: Int, of rank: Int) throws {
        if let known = sequences[rank] { return try #require(known == sequence, comment) }
        try #require(ranks[sequence] == nil, comment)
        let before = nextKnownRank(below: rank).flatMap { sequences[$0] }
        let after = (rank..<oracle.nextRank).lazy.compactMap { self.sequences[$0] }.first
        try #require(before ?? .min < sequence && sequence < after ?? .max, comment)
        sequences[rank] = sequence
        ranks[sequence] = rank
    }

    func nextKnownRank(below rank: Int) -> Int? {
        stride(from: rank - 1, through: 0, by: -1).first { sequences[$0] != nil }
    }

    /// Expects the oracle's contents in each inbox, in order and without acknowledged notifications.
    func checkInboxes() async throws {
        for agent in oracle.agents.values {
            let page = try await store.stored(agent)
            try expect(page, oracle.inbox(agent))
            try #require(zip(page, page.dropFirst()).allSatisfy { $0.sequence < $1.sequence }, comment)
            try #require(acknowledged.isDisjoint(with: page.map(\.sequence)), comment)
        }
        try checkSlots()
    }

    /// Expects at most one notification per slot in the oracle, and so in the store, which has the same contents.
    private func checkSlots() throws {
        let slots = oracle.stored.compactMap { item in
            item.slot.map { slot in
                [item.agent, item.notification.token, item.notification.topic, slot] as [AnyHashable]
            }
        }
        try #require(Set(slots).count == slots.count, comment)
    }

    /// Expects the predicted record of each changed batch, with every accepted notification in exactly one state.
    func checkTouchedBatches() async throws {
        for number in oracle.touched { try await check(number) }
        oracle.touched = []
    }

    private func check(_ number: BatchNumber) async throws {
        let id = try #require(oracle.ids[number])
        let record = try await store.batch(id.name, in: id.namespace)
        try #require(record == oracle.record(of: number), comment)
        let counts = record?.counts.states.values.map(\.self) ?? []
        try #require(counts.reduce(0, +) == oracle.batches[number]?.accepted ?? 0, comment)
        try #require(counts.allSatisfy { $0 > 0 }, comment)
    }

    /// Expects the predicted results of all look-ups in a namespace.
    func checkLookUps(in namespace: Namespace) async throws {
        for (place, agent) in oracle.agents where place.namespace == namespace {
            try #require(try await store.agent(withDigest: place.name) == agent, comment)
        }
        for place in oracle.devices.keys where place.namespace == namespace {
            try #require(try await store.device(place.name, in: namespace) == oracle.registered(place), comment)
        }
        for key in ["key 1", "key 2", "key 3"] {
            let found = try await store.batch(with: key, in: namespace, at: now)
            try #require(found == oracle.keyed(key, in: namespace, at: now), comment)
        }
        let agents = Set(oracle.agents.values)
        let grouped = try await store.devices(of: agents, in: namespace).mapValues { devices in
            devices.sorted { $0.token.rawValue < $1.token.rawValue }
        }
        try #require(grouped == oracle.devices(of: agents, in: namespace), comment)
        for place in oracle.devices.keys where place.namespace == namespace { try await checkInbox(of: place) }
        try #require(
            try await store.inbox(of: "no such device", in: namespace, after: 0, limit: 1, at: now) == nil,
            comment
        )
        let listed = try await devices(of: namespace).sorted { $0.device.token.rawValue < $1.device.token.rawValue }
        try #require(listed == oracle.listed(in: namespace), comment)
        for filter in Set(listed.map { [$0.device.name, $0.device.standing.rawValue] }) {
            let (name, standing) = (filter[0], TokenStanding(rawValue: filter[1]))
            let matching = try await devices(of: namespace, matching: DeviceFilter(name: name, standing: standing))
                .sorted { $0.device.token.rawValue < $1.device.token.rawValue }
            try #require(
                matching == listed.filter { $0.device.name == name && $0.device.standing == standing },
                comment
            )
        }
        let apps = oracle.storage.filter { $0.key.namespace == namespace }
            .map { AppSettings(topic: $0.key.name, storage: $0.value) }.sorted { $0.topic.rawValue < $1.topic.rawValue }
        try #require(try await store.apps(in: namespace) == apps, comment)
        try #require(try await store.clock(of: namespace) == oracle.clocks[namespace], comment)
        let summaries = oracle.namespaces.map { oracle.summary(of: $0) }.sorted { $0.name.rawValue < $1.name.rawValue }
        try #require(try await store.namespaces() == summaries, comment)
    }

    /// Expects the predicted inbox of a device, in pages of two.
    private func checkInbox(of place: StoreOracle.Place<DeviceToken>) async throws {
        var (stored, cursor) = ([StoredNotification](), 0)
        while true {
            let page = try await store.inbox(of: place.name, in: place.namespace, after: cursor, limit: 2, at: now)
            guard let last = page?.last else { break }
            stored += page ?? []
            cursor = last.sequence
        }
        try expect(stored, oracle.inbox(of: place, at: now) ?? [])
    }

    /// Returns the devices of a namespace that match a filter, in pages of two.
    private func devices(
        of namespace: Namespace,
        matching filter: DeviceFilter = DeviceFilter()
    ) async throws -> [ListedDevice] {
        var (devices, last) = ([ListedDevice](), DeviceToken(rawValue: ""))
        while true {
            let page = try await store.devices(in: namespace, matching: filter, after: last, limit: 2)
            guard let end = page.last else { return devices }
            devices += page
            last = end.device.token
        }
    }

    /// Expects all predictions, for every batch that was ever accepted.
    func checkEverything() async throws {
        for namespace in Self.namespaces {
            try await checkLookUps(in: namespace)
            try await checkLog(of: namespace)
        }
        for number in oracle.ids.keys { try await check(number) }
    }
}
