internal import GRDB
package import WaypostSchema

extension SQLiteStore {
    /// Returns every namespace in which there is anything.
    package func namespaces() async throws(StoreError) -> [NamespaceSummary] {
        try await read { try NamespaceSummary.fetchAll($0) }.sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// Forgets everything in a namespace.
    package func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID> {
        try await perform { try $0.reset(namespace) }
    }

    /// Returns what a namespace's manual clock shows.
    package func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp? {
        try await read { database in
            let statement = try database.cachedStatement(sql: "SELECT clock FROM namespace WHERE name = ?")
            return try Int?.fetchOne(statement, arguments: [namespace.stored]).flatMap(\.self)
                .map(Timestamp.init(milliseconds:))
        }
    }

    /// Sets a namespace's manual clock.
    package func setClock(of namespace: Namespace, to now: Timestamp) async throws(StoreError) {
        try await perform { try $0.setClock(of: namespace, to: now) }
    }
}

extension NamespaceSummary {
    /// Reads what is to be said of each namespace.
    ///
    /// What is oldest came with the first batch of which anything is stored.
    static func fetchAll(_ database: Database) throws -> [Self] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT name, (SELECT COUNT(*) FROM device WHERE namespace = namespace.number),
                    (SELECT COUNT(*) FROM item WHERE namespace = namespace.number),
                    (SELECT created FROM batch WHERE namespace = namespace.number AND stored > 0
                        ORDER BY number LIMIT 1)
                FROM namespace
                """
        )
        return try Row.fetchAll(statement).map {
            Self(
                name: Namespace(stored: $0[0]),
                devices: $0[1],
                stored: $0[2],
                oldest: ($0[3] as Int?).map(Timestamp.init(milliseconds:))
            )
        }
    }
}
