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

    /// Records that a gateway confirmed an acknowledgement.
    mutating func recordAcknowledged(_ sequences: Set<Int>) {
        unacknowledged.subtract(sequences)
    }
}
