internal import GatewayStore

/// The tuning of a `PostgresStore`; tests choose other values.
package struct PostgresTuning: Sendable {
    /// The maximum number of items in one transaction, unless a single change has more.
    package var maximumItemsInCommit = 5_000

    /// The maximum number of items that wait; more are refused.
    package var maximumItemsInQueue = 200_000

    /// The number of connections for queries.
    package var readerCount = 4

    /// The time after which the server ends a transaction whose gateway has stopped in the middle of it.
    package var idleTransactionTimeout = Duration.seconds(2)

    /// The time within which the server must answer the beat of a gateway.
    package var responseTimeout = Duration.seconds(5)

    /// The maximum number of sessions of ended gateways that are closed in one transaction.
    package var maximumSessionsPerCleanUp = 100

    /// The maximum number of retries of a transaction that conflicts with another one.
    package var maximumRetries = 20

    /// The seconds for which the log keeps notifications that have ended; 0 keeps no log.
    package var logRetention = Retention.logLifetime

    /// Creates the values of a gateway.
    package init() {}
}
