internal import GRDB
package import WaypostSchema

extension SQLiteStore {
    /// Returns every namespace in which there is anything.
    package func namespaces() async throws(StoreFault) -> [NamespaceSummary] {
        let summaries = try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT name, (SELECT COUNT(*) FROM device WHERE namespace = namespace.number),
                        (SELECT COUNT(*) FROM item WHERE namespace = namespace.number)
                    FROM namespace
                    """
            )
            return try Row.fetchAll(statement).map {
                NamespaceSummary(name: Namespace(stored: $0[0]), devices: $0[1], stored: $0[2])
            }
        }
        return summaries.sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// Forgets everything in a namespace.
    package func reset(_ namespace: Namespace) async throws(StoreFault) -> Set<AgentID> {
        try await commits.perform { try $0.reset(namespace) }
    }

    /// Returns what a namespace's manual clock shows.
    package func clock(of namespace: Namespace) async throws(StoreFault) -> Timestamp? {
        try await read { database in
            let statement = try database.cachedStatement(sql: "SELECT clock FROM namespace WHERE name = ?")
            return try Int?.fetchOne(statement, arguments: [namespace.stored]).flatMap(\.self)
                .map(Timestamp.init(milliseconds:))
        }
    }

    /// Sets a namespace's manual clock.
    package func setClock(of namespace: Namespace, to now: Timestamp) async throws(StoreFault) {
        try await commits.perform { try $0.setClock(of: namespace, to: now) }
    }
}
