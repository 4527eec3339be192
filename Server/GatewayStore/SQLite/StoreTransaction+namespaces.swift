internal import GRDB
internal import WaypostSchema

extension StoreTransaction {
    /// Returns a namespace's number; `nil` if the namespace is empty.
    mutating func number(of namespace: Namespace) throws -> Int? {
        if let number = cache.namespaces[namespace] { return number }
        let number = try rows("SELECT number FROM namespace WHERE name = ?", [namespace.stored]) { $0[0] as Int }.first
        if let number { cache.remember(namespace, as: number) }
        return number
    }

    /// Returns a namespace's number, which is created if the namespace is empty.
    mutating func makeNumber(of namespace: Namespace) throws -> Int {
        if let number = try number(of: namespace) { return number }
        try execute("INSERT INTO namespace (name) VALUES (?)", [namespace.stored])
        let number = Int(database.lastInsertedRowID)
        cache.remember(namespace, as: number)
        return number
    }

    /// Sets a namespace's manual clock.
    mutating func setClock(of namespace: Namespace, to now: Timestamp) throws {
        let number = try makeNumber(of: namespace)
        try execute(
            "UPDATE namespace SET clock = max(coalesce(clock, ?1), ?1) WHERE number = ?2",
            [now.rawValue, number]
        )
    }

    /// Deletes everything in a namespace; returns its agents.
    mutating func reset(_ namespace: Namespace) throws -> Set<AgentID> {
        guard let number = try number(of: namespace) else { return [] }
        let agents = try rows("SELECT number FROM agent WHERE namespace = ?", [number]) {
            AgentID(namespace: namespace, number: $0[0])
        }
        try writeTallies()
        for table in [
            "log", "log_batch", "item", "idempotency", "batch", "app", "device_topic", "device", "agent",
            "provider_key", "channel", "subscription",
        ] {
            try execute("DELETE FROM \(table) WHERE namespace = ?", [number])
        }
        try execute("DELETE FROM namespace WHERE number = ?", [number])
        cache = StoreCache()
        return Set(agents)
    }
}
