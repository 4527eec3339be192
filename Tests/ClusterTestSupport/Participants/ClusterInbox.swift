import WaypostSchema

/// The notifications that a device received from all gateways.
struct ClusterInbox: Sendable {
    /// The violations that were observed.
    private(set) var findings: [String] = []

    /// The number of deliveries of notifications that had been delivered before.
    private(set) var repeated = 0

    /// The number of repeated deliveries of notifications whose acknowledgement was confirmed before.
    private(set) var returned = 0

    /// The sequences that no gateway has confirmed as acknowledged.
    private(set) var unacknowledged: Set<Int> = []

    private var received: [NotificationID: DeliveredNotification] = [:]
    private var newest = (sequence: 0, stream: 0)

    /// The present stream, and the latest time in milliseconds at which a notification that it has sent was created.
    private var current = (stream: 0, latestCreation: 0)

    /// The number of distinct notifications.
    var count: Int {
        received.count
    }

    /// The identifiers of the notifications.
    var ids: some Collection<NotificationID> {
        received.keys
    }

    /// Returns the notification with an identifier, if it was received.
    func notification(_ id: NotificationID) -> DeliveredNotification? {
        received[id]
    }

    /// Records a notification that arrived on the device's stream with a number.
    mutating func receive(_ notification: DeliveredNotification, onStream stream: Int) {
        checkExpiration(of: notification, onStream: stream)
        guard let earlier = received[notification.id] else {
            checkOrder(of: notification, onStream: stream)
            received[notification.id] = notification
            unacknowledged.insert(notification.sequence)
            return
        }
        repeated += 1
        if earlier != notification {
            findings.append("\(notification.id) has changed: \(earlier), \(notification)")
        }
        // The device cannot know whether the gateway that repeats it has the acknowledgement.
        if !unacknowledged.contains(notification.sequence) { returned += 1 }
        unacknowledged.insert(notification.sequence)
    }

    /// Checks that a new notification has a greater sequence than those before it.
    ///
    /// A device has one stream at a time. A notification with a lower sequence than an earlier one was committed before
    /// it, so it must have been delivered before it, even if that was on another stream. Transient notifications have
    /// no place in this order.
    private mutating func checkOrder(of notification: DeliveredNotification, onStream stream: Int) {
        guard notification.expiration != 0 else { return }
        let sequence = notification.sequence
        if sequence <= newest.sequence {
            let earlier = "\(newest.sequence) on stream \(newest.stream)"
            findings.append("sequence \(sequence) came first on stream \(stream), after \(earlier)")
        }
        if sequence > newest.sequence { newest = (sequence, stream) }
    }

    /// Checks that a notification did not expire before the gateway sent it.
    ///
    /// A stream sends one item after another. So no item may follow one that was created after its expiration.
    /// That depends neither on the time that the device needs to read it, nor on other clocks than this machine's.
    private mutating func checkExpiration(of notification: DeliveredNotification, onStream stream: Int) {
        if stream != current.stream { current = (stream, 0) }
        if let expiration = notification.expiration, expiration > 0, expiration * 1_000 <= current.latestCreation {
            findings.append(
                """
                \(notification.id) expired at \(expiration) s, and came on stream \(stream) after one that was created \
                at \(current.latestCreation) ms
                """
            )
        }
        let creation = notification.payload["created"]?.string.flatMap { Int($0) } ?? 0
        current.latestCreation = max(current.latestCreation, creation)
    }

    /// Records that a gateway confirmed an acknowledgement.
    mutating func recordAcknowledged(_ sequences: Set<Int>) {
        unacknowledged.subtract(sequences)
    }
}
