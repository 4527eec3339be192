internal import GRDB
internal import WaypostSchema

extension StoreTransaction {
    /// Returns a namespace's number; `nil` if the namespace is empty.
    mutating func namespaceID(of namespace: Namespace) throws -> Int? {
        if let number = cache.namespaceIDs[namespace] { return number }
        let number = try Self.namespaceID(of: namespace, in: database)
        if let number { cache.setNamespaceID(number, of: namespace) }
        return number
    }

    /// Reads a namespace's number; `nil` if the namespace is empty.
    static func namespaceID(of namespace: Namespace, in database: Database) throws -> Int? {
        try database.rows("SELECT number FROM namespace WHERE name = ?", [namespace.databaseText]) { $0[0] as Int }
            .first
    }

    /// Returns a namespace's number, and creates it if the namespace is empty.
    mutating func findOrCreateNamespaceID(of namespace: Namespace) throws -> Int {
        if let number = try namespaceID(of: namespace) { return number }
        try execute("INSERT INTO namespace (name) VALUES (?)", [namespace.databaseText])
        let number = Int(database.lastInsertedRowID)
        cache.setNamespaceID(number, of: namespace)
        return number
    }

    /// Deletes everything in a namespace; returns its agents.
    mutating func reset(_ namespace: Namespace) throws -> Set<AgentID> {
        guard let number = try namespaceID(of: namespace) else { return [] }
        let agents = try database.rows("SELECT number FROM agent WHERE namespace = ?", [number]) {
            AgentID(namespace: namespace, number: $0[0])
        }
        try writeTallies()
        var segments = LogSegments(in: number, isBackward: false)
        while let segment = try segments.next(database)?.segment {
            let range = segment.sequences
            try execute(
                "DELETE FROM log WHERE namespace = ? AND sequence BETWEEN ? AND ?",
                [number, range.lowerBound, range.upperBound]
            )
        }
        for table in [
            "log_segment", "log_name", "log_batch", "item", "idempotency", "batch", "app", "device_topic", "device",
            "agent",
            "provider_key", "channel", "subscription",
        ] {
            try execute("DELETE FROM \(table) WHERE namespace = ?", [number])
        }
        try execute("DELETE FROM namespace WHERE number = ?", [number])
        cache = StoreCache()
        liveState.remove(agents.lazy.map(\.number), in: number)
        return Set(agents)
    }
}
