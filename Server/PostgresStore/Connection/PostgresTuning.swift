internal import GatewayStore

/// The tuning of a `PostgresStore`; tests choose other values.
package struct PostgresTuning: Sendable {
    /// The maximum number of items in one transaction, unless a single change has more.
    package var itemsInCommit = 5_000

    /// The maximum number of items that wait; more are refused.
    package var itemsInQueue = 200_000

    /// The number of connections for queries.
    package var readers = 4

    /// The time after which the server ends a transaction whose gateway has stopped in the middle of it.
    package var idleLimit = Duration.seconds(2)

    /// The time within which the server must answer the beat of a gateway.
    package var answerLimit = Duration.seconds(5)

    /// The maximum number of sessions of ended gateways that are closed in one transaction.
    package var departures = 100

    /// How often a transaction is made again if another one was in the way.
    package var attempts = 20

    /// The seconds for which the log keeps notifications that have ended; 0 keeps no log.
    package var logRetention = Retention.log

    /// Creates the values of a gateway.
    package init() {}
}
