package import WaypostSchema

/// The difference that `lossless` storage makes: the notifications that APNs would not have delivered.
///
/// An app's notifications wait together for a device that is away. `lossless` delivers all of them, and APNs only the
/// newest ("Viewing the status of push notifications using Metrics and APNs").
package enum NewestNotification {
    /// The time after which a notification that was stored but not sent has waited for its device, in milliseconds.
    ///
    /// A connected device gets a notification in a fraction of it, but two in a row may overlap.
    static let minimumWait = 1_000

    /// The notifications of one app for one device.
    private struct Recipient: Hashable {
        let token: DeviceToken
        let topic: Topic

        init?(_ record: NotificationRecord) {
            guard let token = record.token, let topic = record.topic, topic != .messages else { return nil }
            (self.token, self.topic) = (token, topic)
        }
    }

    /// Returns the notifications that APNs would replace by a newer one, of those that wait for a device.
    ///
    /// - Parameter records: the records of notifications that are stored and not sent, in the order of the log.
    /// - Returns: their records, in the same order.
    package static func replaced(amongWaiting records: [NotificationRecord]) -> [NotificationRecord] {
        var newest: [Recipient: Int] = [:]
        for record in records {
            if let recipient = Recipient(record) { newest[recipient] = record.sequence }
        }
        return records.filter { record in
            Recipient(record).flatMap { newest[$0] }.map { record.sequence < $0 } ?? false
        }
    }

    /// Returns the sequences of notifications that were sent after a wait, and that a newer one had overtaken by then.
    ///
    /// - Parameter records: records in the order of the log; a newer notification that is missing does not count.
    /// - Returns: the sequences.
    /// - Complexity: O(number of records).
    package static func replaced(in records: [NotificationRecord]) -> Set<Int> {
        // Going backwards, this is the earliest arrival after the record.
        var nextArrival: [Recipient: Timestamp] = [:]
        var replaced: Set<Int> = []
        for record in records.reversed() {
            guard let recipient = Recipient(record), let stored = record.time(of: .stored) else { continue }
            if hasWaited(record), let next = nextArrival[recipient], let sent = record.time(of: .sent), next < sent {
                replaced.insert(record.sequence)
            }
            nextArrival[recipient] = stored
        }
        return replaced
    }

    /// Returns the notifications that a device got with those of a batch, and that APNs would not have delivered.
    ///
    /// - Parameters:
    ///   - batch: the batch.
    ///   - records: records in the order of the log.
    /// - Returns: the records of the notifications, of this batch or an earlier one.
    package static func replaced(around batch: BatchID, in records: [NotificationRecord]) -> [NotificationRecord] {
        let ownRecords = records.filter { $0.batch == batch }
        let recipients = Set(ownRecords.compactMap(Recipient.init))
        guard let start = ownRecords.compactMap({ $0.time(of: .stored) }).min() else { return [] }
        let replaced = replaced(in: records)
        return records.filter { record in
            guard replaced.contains(record.sequence), let recipient = Recipient(record) else { return false }
            return recipients.contains(recipient) && record.time(of: .sent).map { $0 >= start } ?? false
        }
    }

    /// Returns whether a notification waited for its device, so that a newer one may have overtaken it.
    package static func hasWaited(_ record: NotificationRecord) -> Bool {
        guard let stored = record.time(of: .stored), let sent = record.time(of: .sent) else { return false }
        return sent.rawValue - stored.rawValue >= minimumWait
    }

    /// Returns a sentence about notifications that a device gets and that APNs would not deliver.
    ///
    /// - Parameters:
    ///   - count: the number of the notifications, at least 1.
    ///   - topic: the topic of one of them.
    /// - Returns: the sentence.
    package static func notice(count: Int, topic: Topic) -> String {
        let notifications = count == 1 ? "1 notification" : "\(count) notifications"
        return """
            \(notifications) waited for a device until a newer one had arrived; APNs would deliver only the newest, as \
            'waypost storage set \(topic) apns' does
            """
    }

    /// The finding about a notification that was delivered although a newer one had arrived.
    ///
    /// - Parameter topic: the app's topic.
    /// - Returns: the finding.
    package static func finding(about topic: Topic) -> NotificationFinding {
        NotificationFinding(
            code: .onlyNewest,
            severity: .note,
            message: """
                it waited for the device until a newer one had arrived; APNs would have delivered only the newest, as \
                'waypost storage set \(topic) apns' does
                """
        )
    }
}

extension NotificationRecord {
    /// Returns the time at which the notification was first in a state.
    fileprivate func time(of state: DeliveryState) -> Timestamp? {
        history.first { $0.state == state }?.at
    }
}
