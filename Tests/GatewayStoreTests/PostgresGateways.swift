import PostgresStore
import StoreTestSupport

/// Two gateways on one database.
final class PostgresGateways: Sendable {
    let database: String
    let first: PostgresStore
    let second: PostgresStore

    init() async throws {
        database = try await PostgresServer.shared.takeDatabase()
        first = try Self.open(database)
        second = try Self.open(database)
    }

    static func open(_ database: String) throws -> PostgresStore {
        var tuning = PostgresTuning()
        tuning.idleTransactionTimeout = .seconds(60)
        return try PostgresStore.open(try PostgresAddress(database), tuning: tuning)
    }

    deinit {
        first.close()
        second.close()
        PostgresServer.shared.giveBack(database)
    }
}
