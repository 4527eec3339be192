internal import Synchronization

/// The identity of a handle on the store: its row in the table `lane`, which exists as long as the handle is alive.
///
/// Each transaction updates the row. So a handle whose row another one has deleted, because its gateway seemed to have
/// ended, changes nothing more.
struct StoreHandle: Sendable, Hashable {
    /// The number of the handle, under which it counts.
    let number: Int

    /// The number of its gateway, to which sessions belong; a gateway that was taken for dead gets a new one.
    var gateway: Int

    /// The key of the advisory lock that the handle keeps while it is connected.
    var lockKey: Int {
        Self.lockKeyBase | number
    }

    private static let lockKeyBase = 1 << 61

    /// The prefix of the `application_name` of the connection that writes; the number of the handle follows.
    static let applicationPrefix = "waypost lane "

    /// Allocates the number of a new handle; its advisory lock must be taken before the handle is added.
    static func allocate(on connection: PostgresConnection) throws(PostgresError) -> Self {
        let row = try connection.run("SELECT nextval(pg_get_serial_sequence('lane', 'number'))").rows.first
        return Self(number: row?.integer(0) ?? 0, gateway: 0)
    }

    /// Inserts the row of the handle, for a new gateway or for `gateway`.
    mutating func insert(on connection: PostgresConnection, for gateway: Int?) throws(PostgresError) {
        if let gateway {
            self.gateway = gateway
            _ = try connection.run(
                "INSERT INTO lane (number, gateway) OVERRIDING SYSTEM VALUE VALUES ($1, $2)",
                [.integer(number), .integer(gateway)]
            )
            try Self.waitForOtherTransactions(on: connection)
        } else {
            try join(on: connection, commitCount: 0)
        }
    }

    /// Waits for transactions that began before the new handle was visible, and so do not notify it; their changes are
    /// visible from now on.
    private static func waitForOtherTransactions(on connection: PostgresConnection) throws(PostgresError) {
        _ = try connection.run("SELECT 1 FROM lane ORDER BY number FOR SHARE")
    }

    /// Adds the handle for a new gateway, in place of one that another handle may have deleted.
    ///
    /// The sessions of the former gateway are closed, or will be.
    ///
    /// - Parameters:
    ///   - connection: a connection.
    ///   - commitCount: the number of transactions that the handle has committed.
    /// - Throws: `PostgresError`.
    mutating func join(on connection: PostgresConnection, commitCount: Int) throws(PostgresError) {
        try connection.send("DELETE FROM lane WHERE number = $1", [.integer(number)])
        let result = try connection.run(
            """
            WITH home AS (INSERT INTO gateway DEFAULT VALUES RETURNING number)
            INSERT INTO lane (number, gateway, commits) OVERRIDING SYSTEM VALUE
            SELECT $1::bigint, home.number, $2 FROM home RETURNING gateway
            """,
            [.integer(number), .integer(commitCount)]
        )
        gateway = result.rows.first?.integer(0) ?? gateway
        try Self.waitForOtherTransactions(on: connection)
    }

    /// Deletes the handle, and its gateway if that has no other.
    func leave(on connection: PostgresConnection) throws(PostgresError) {
        try connection.send("DELETE FROM lane WHERE number = $1", [.integer(number)])
        _ = try connection.run(Self.deleteEmptyGatewaysSQL)
    }

    /// Deletes the handles that have lost their connection, and then the gateways without a handle.
    ///
    /// A handle with a transaction stays: it has not ended, or others notice its end later.
    func removeDisconnected(on connection: PostgresConnection) throws(PostgresError) {
        try connection.send(
            """
            DELETE FROM lane WHERE number IN (
                SELECT number FROM lane WHERE number <> $1 ORDER BY number FOR UPDATE SKIP LOCKED
            ) AND pg_try_advisory_xact_lock($2 | number)
            """,
            [.integer(number), .integer(Self.lockKeyBase)]
        )
        _ = try connection.run(Self.deleteEmptyGatewaysSQL)
    }

    private static let deleteEmptyGatewaysSQL = """
        DELETE FROM gateway WHERE number IN (
            SELECT number FROM gateway
            WHERE NOT EXISTS (SELECT 1 FROM lane WHERE lane.gateway = gateway.number) FOR UPDATE SKIP LOCKED
        )
        """
}

/// The current value of a handle, which the parts of a store share.
final class CurrentStoreHandle: Sendable {
    private let handle: Mutex<StoreHandle>

    init(_ handle: StoreHandle) {
        self.handle = Mutex(handle)
    }

    /// The handle.
    var value: StoreHandle {
        handle.withLock(\.self)
    }

    /// Records that the handle belongs to a new gateway.
    func set(_ handle: StoreHandle) {
        self.handle.withLock { $0 = handle }
    }
}
