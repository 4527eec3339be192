/// A table with entries of the log.
///
/// Each entry has one row: in `item` while the notification is in an inbox, then in `log`.
package enum LogTable: String, CaseIterable, Sendable {
    /// Notifications in inboxes.
    case item

    /// Notifications that reached a final state.
    case log
}
