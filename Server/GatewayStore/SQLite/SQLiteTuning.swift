/// What a `SQLiteStore` weighs against what; tests choose other values.
package struct SQLiteTuning: Sendable {
    /// The seconds to wait for another program that holds the file.
    package var busyTimeout = 5.0

    /// The bytes of the log from which on it is copied into the database.
    package var logBytes = 32 << 20

    /// The bytes of a database up to which it is checked at every opening, as that takes a moment only.
    package var checkedBytes = 16 << 20

    /// The items that one transaction takes, unless a single caller has more.
    package var itemsInCommit = 20_000

    /// The items that wait at most before more are refused.
    package var itemsInQueue = 200_000

    /// The seconds for which the log keeps what has ended; 0 keeps no log.
    package var logRetention = LogRetention.standard

    /// Creates the values that a gateway has.
    package init() {}
}
