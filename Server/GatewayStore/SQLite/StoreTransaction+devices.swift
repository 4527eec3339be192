internal import Foundation
internal import GRDB
internal import WaypostSchema

extension StoreTransaction: RegistrationStatements {
    /// Returns the device with `token`, regardless of its standing.
    mutating func device(_ token: DeviceToken, in namespace: Int) throws -> DeviceRecord? {
        let key = StoreCache.DeviceKey(namespace: namespace, token: token)
        if let device = cache.devices[key] { return device }
        let device = try DeviceRecord.fetch(database, token, in: namespace)
        if let device { cache.insert(device, for: key) }
        return device
    }

    /// Returns the number of the agent whose secret has the digest `digest`.
    func agentNumber(withDigest digest: SecretDigest, in namespace: Int) throws -> Int? {
        try database.rows(
            "SELECT number FROM agent WHERE digest = ? AND namespace = ?",
            [Data(digest.bytes), namespace]
        ) { $0[0] as Int }.first
    }

    /// Creates an agent and returns its number.
    mutating func createAgent(withDigest digest: SecretDigest, in namespace: Int) throws -> Int {
        counters.lastAgentNumber += 1
        try execute(
            "INSERT INTO agent VALUES (?, ?, ?)",
            [namespace, counters.lastAgentNumber, Data(digest.bytes)]
        )
        return counters.lastAgentNumber
    }

    /// Replaces the digest of an agent's secret.
    mutating func setDigest(_ digest: SecretDigest, ofAgent number: Int, in namespace: Int) throws {
        try execute(
            "UPDATE agent SET digest = ? WHERE namespace = ? AND number = ?",
            [Data(digest.bytes), namespace, number]
        )
    }

    /// Returns the number for a new device.
    func nextDeviceNumber(in namespace: Int) throws -> Int {
        let last = try database.rows(
            "SELECT COALESCE(MAX(number), 0) FROM device WHERE namespace = ?",
            [namespace]
        ) { $0[0] as Int }
        return (last.first ?? 0) + 1
    }

    /// Writes a device and its topics.
    mutating func write(
        _ device: DeviceRecord,
        as token: DeviceToken,
        replacing previous: Set<Topic>,
        in namespace: Int
    ) throws {
        try execute(
            """
            INSERT INTO device VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (namespace, number) DO UPDATE SET token = excluded.token, agent = excluded.agent,
                name = excluded.name, standing = excluded.standing, since = excluded.since,
                constrained = excluded.constrained, environments = excluded.environments,
                purpose = excluded.purpose
            """,
            [
                namespace, device.number, token.databaseText, device.agent,
                StoredString.encode(device.name), device.standing.rawValue,
                device.standingChangedAt.rawValue, device.isLowPowerModeEnabled,
                StoredEnvironments.encode(device.environments), StoredJSON.encode(device.purpose),
            ]
        )
        cache.insert(device, for: StoreCache.DeviceKey(namespace: namespace, token: token))
        try writeTopics(of: device, replacing: previous, in: namespace)
    }

    private func writeTopics(of device: DeviceRecord, replacing previous: Set<Topic>, in namespace: Int) throws {
        let key: StatementArguments = [namespace, device.number]
        for topic in previous.subtracting(device.topics) {
            try execute(
                "DELETE FROM device_topic WHERE namespace = ? AND device = ? AND topic = ?",
                key + [topic.databaseText]
            )
        }
        for topic in device.topics.subtracting(previous) {
            try execute("INSERT INTO device_topic VALUES (?, ?, ?)", key + [topic.databaseText])
        }
    }
}

extension DeviceRecord {
    private static let columns = "number, agent, name, standing, since, constrained, environments, purpose"

    /// Reads the device with `token`.
    static func fetch(_ database: Database, _ token: DeviceToken, in namespace: Int) throws -> Self? {
        try database.rows(
            "SELECT \(columns) FROM device WHERE namespace = ? AND token = ?",
            [namespace, token.databaseText]
        ) { try Self(row: $0, in: namespace, database) }.first
    }

    /// Reads the first `limit` devices that match a filter and whose tokens are after `token`, in the order of their
    /// tokens.
    static func fetch(
        _ database: Database,
        matching filter: DeviceFilter,
        after token: DeviceToken,
        limit: Int,
        in namespace: Int
    ) throws -> [(DeviceToken, Self)] {
        let (name, standing) = (filter.name.map(StoredString.encode), filter.standing?.rawValue)
        return try database.rows(
            """
            SELECT \(columns), token FROM device
            WHERE namespace = ? AND token > ? AND (? IS NULL OR name = ?) AND (? IS NULL OR standing = ?)
            ORDER BY token LIMIT ?
            """,
            [namespace, token.databaseText, name, name, standing, standing, limit]
        ) { (DeviceToken(databaseText: $0[8]), try Self(row: $0, in: namespace, database)) }
    }

    /// Reads a device from the first columns of a row.
    private init(row: Row, in namespace: Int, _ database: Database) throws {
        let number: Int = row[0]
        let sql = "SELECT topic FROM device_topic WHERE namespace = ? AND device = ?"
        self.init(
            number: number,
            agent: row[1],
            name: StoredString.decode(row[2]),
            topics: Set(try database.rows(sql, [namespace, number]) { Topic(databaseText: $0[0]) }),
            standing: try StoredEnum.read(row[3]),
            standingChangedAt: Timestamp(milliseconds: row[4]),
            isLowPowerModeEnabled: row[5],
            environments: try StoredEnvironments.decode(row[6]),
            purpose: try StoredJSON.decode(row[7])
        )
    }
}
