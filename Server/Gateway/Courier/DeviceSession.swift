internal import DequeModule
internal import GatewayStore
internal import NIOCore
internal import PushRules
internal import WaypostSchema

/// The state of one agent's open stream, as a value: the notifications that were sent, and those still to send.
///
/// It also decides which unacknowledged notifications are sent again (`markOverdueForRedelivery`), and when
/// (`RedeliveryPolicy`).
///
/// While the stream keeps up, new notifications go from `queue` to the socket. Notifications that do not fit stay only
/// in the inbox, like those that were there before. A stream that is behind reads the inbox in pages until it has sent
/// everything.
struct DeviceSession: Sendable {
    /// A signal from the gateway to a stream.
    enum Signal: Sendable, Equatable {
        /// There may be something to send.
        case somethingNew

        /// The stream has ended.
        case ended(StreamEnd.Reason)
    }

    /// The next step of a stream.
    enum Step: Sendable, Equatable {
        /// Write these notifications, which are recorded as sent.
        case send([StoredNotification])

        /// Read a page of the inbox.
        case read(PageRequest)

        /// Wait for the next signal.
        case wait
    }

    /// A request for a page of the inbox.
    struct PageRequest: Sendable, Equatable {
        /// The sequence after which the page begins.
        var position: Int

        /// The maximum number of notifications of the page.
        var limit: Int

        /// The number of rewinds at the time of the request, so that a page from before a rewind does not move the
        /// position.
        var rewindCount: Int
    }

    /// A notification that was sent and is not acknowledged.
    struct SentNotification: Sendable {
        /// The batch that contained it.
        var batch: BatchNumber

        /// Its place in the order in which this stream sent notifications, from 1; `nil` if only an earlier stream has
        /// sent it.
        var turn: Int?

        /// The times at which it was sent.
        var attempts: DeliveryAttempts

        /// The time at which it is sent again if it is still not acknowledged.
        var redeliveryTime: NIODeadline
    }

    /// A transient notification that was sent and is not acknowledged.
    struct SentTransient: Sendable {
        var notification: StoredNotification
        var turn: Int
        var attempts: DeliveryAttempts
    }

    /// The time at which notifications are sent: on the machine's clock, which measures waits, and on the namespace's
    /// clock.
    struct SendTime: Sendable {
        var deadline: NIODeadline
        var timestamp: Timestamp
    }

    /// Whether a page of the inbox is being read, and the changes since that read began.
    private enum PageRead {
        case idle

        /// A page is being read; the inbox may have grown, and these sequences were removed from it.
        case page(hasGrown: Bool, removed: Set<Int>)
    }

    /// The epoch of the stream's session in the store.
    let epoch: SessionEpoch

    /// The time at which the stream was opened.
    let openedAt: NIODeadline

    /// Sends a signal to the stream.
    let signal: @Sendable (Signal) -> Void

    /// The limits, which are lower the more streams there are.
    var limits: SessionLimits

    private let redelivery: RedeliveryPolicy

    /// The notifications that arrived while the stream kept up, and transient ones.
    private(set) var queue: [StoredNotification] = []
    private var queueBytes = 0

    /// The unacknowledged notifications from the inbox, by sequence.
    private(set) var sentNotifications: [Int: SentNotification] = [:]

    /// The unacknowledged notifications that must be sent again; the stream sends them when it finds them in the inbox.
    private(set) var awaitingRedelivery: [Int: SentNotification] = [:]

    /// The unacknowledged transient notifications, by sequence.
    private(set) var sentTransient: [Int: SentTransient] = [:]

    /// The earliest time at which a sent notification must be sent again.
    private var earliestRedelivery = NIODeadline.distantFuture

    /// The position from which the inbox is read next, and how often it was rewound.
    private(set) var position: Int
    private var rewindCount = 0

    /// Whether the inbox may contain notifications that this stream has not sent.
    private(set) var isBehind = true

    /// The highest sequence that was read from the inbox; a new notification below it was read already.
    private var lastReadSequence = 0

    /// The highest sequence that the inbox is known to have.
    private var lastKnownSequence = 0

    private var pageRead = PageRead.idle

    /// The maximum number of notifications of the next page: fewer than the limit if the last page was too large.
    private var pageLimit: Int

    private var turnCount = 0

    /// A notification at its place in the order in which this stream sent them.
    private struct SentPlace {
        let sequence: Int
        let turn: Int
    }

    /// The notifications that this stream has sent, in the order of their turns; some may have left the inbox.
    private var sentOrder: Deque<SentPlace> = []

    /// The number of removed notifications that stay in `sentOrder`, beyond twice those that are not removed.
    ///
    /// After one that was out of order, their turns are needed: a client may acknowledge up to a removed notification.
    private var removedPlaceLimit: Int {
        turnsBeforeReordering == nil ? 64 : 1_024
    }

    /// The highest sequence that was sent, and the number of notifications that were sent before the first one that
    /// was out of order; `nil` if all that are in `sentOrder` were in order.
    private var highestSentSequence = 0
    private var turnsBeforeReordering: Int?

    /// The time at which a resumed stream reads its inbox from the start.
    ///
    /// The notifications that its client skipped were not acknowledged, or were held back when the others were sent.
    private var inboxRereadTime: NIODeadline?

    /// Creates a stream that resumes after sequence `start` and takes over from `predecessor`.
    init(
        epoch: SessionEpoch,
        after start: Int,
        at now: NIODeadline,
        from predecessor: Self?,
        limits: SessionLimits,
        redelivery: RedeliveryPolicy,
        signal: @escaping @Sendable (Signal) -> Void
    ) {
        self.epoch = epoch
        openedAt = now
        self.signal = signal
        self.limits = limits
        self.redelivery = redelivery
        pageLimit = limits.page
        position = start
        if start > 0 { inboxRereadTime = now + redelivery.delay(after: 1) }
        guard let predecessor else { return }
        lastReadSequence = predecessor.lastReadSequence
        queue = predecessor.transient
        queueBytes = queue.reduce(0) { $0 + $1.notification.payload.count }
        let unacknowledgedNotifications = predecessor.sentNotifications.merging(predecessor.awaitingRedelivery) { $1 }
        awaitingRedelivery = unacknowledgedNotifications.mapValues { notification in
            var notification = notification
            notification.turn = nil
            return notification
        }
    }
}

// MARK: New notifications

extension DeviceSession {
    /// The transient notifications that are queued, or sent and not acknowledged.
    var transient: [StoredNotification] {
        sentTransient.values.map(\.notification).sorted { $0.sequence < $1.sequence }
            + queue.filter(\.notification.isTransient)
    }

    /// Adds a notification that was just accepted; `false` if it is transient and there is no room for it.
    mutating func add(_ notification: StoredNotification) -> Bool {
        let bytes = notification.notification.payload.count
        // A single notification always fits, however many streams share the memory.
        let hasMemory = queue.isEmpty || queueBytes + bytes <= limits.queueBytes
        let hasRoom = queue.count < limits.queue && hasMemory && capacity > 0
        if !notification.notification.isTransient {
            guard notification.sequence > lastReadSequence, sentNotifications[notification.sequence] == nil else {
                return true
            }
            guard !isBehind, hasRoom else {
                recordNewNotifications()
                return true
            }
        }
        guard hasRoom else { return false }
        queue.append(notification)
        queueBytes += bytes
        return true
    }

    /// Records that the inbox may contain notifications that this stream has not sent.
    mutating func recordNewNotifications() {
        isBehind = true
        if case .page(_, let removed) = pageRead { pageRead = .page(hasGrown: true, removed: removed) }
    }

    /// Records that the inbox has notifications up to `sequence`; returns whether the stream has not read so far.
    mutating func recordNewNotifications(upTo sequence: Int) -> Bool {
        guard sequence > lastReadSequence else { return false }
        lastKnownSequence = max(lastKnownSequence, sequence)
        recordNewNotifications()
        return true
    }

    /// Starts reading the inbox from the start again, because a notification in it no longer waits or has moved to
    /// another token.
    mutating func rewind() {
        removeFromQueue { !$0.notification.isTransient }
        position = 0
        rewindCount += 1
        recordNewNotifications()
    }

    /// The number of notifications that may be sent before some are acknowledged.
    private var capacity: Int {
        limits.window - sentNotifications.count - sentTransient.count - queue.count
    }
}

// MARK: Sending

extension DeviceSession {
    /// Returns the next step of the stream; notifications to send are recorded as sent.
    ///
    /// A notification may expire while it waits for its commit, or for a client that does not read. The stream reads
    /// the inbox again then, which has no expired ones: the store decides, with the clock of the namespace.
    mutating func next(at time: SendTime) -> Step {
        if queue.contains(where: { $0.notification.isExpired(at: time.timestamp) }) { rewind() }
        if !queue.isEmpty { return .send(takeFromQueue().map { recordSent($0, at: time) }) }
        let limit = min(pageLimit, capacity)
        guard isBehind, case .idle = pageRead, limit > 0 else { return .wait }
        pageRead = .page(hasGrown: false, removed: [])
        return .read(PageRequest(position: position, limit: limit, rewindCount: rewindCount))
    }

    /// Removes the first notifications from the queue, as many as fit in one write.
    private mutating func takeFromQueue() -> [StoredNotification] {
        let count = partInOneWrite(of: queue).count
        let notifications = Array(queue.prefix(count))
        queue.removeFirst(count)
        queueBytes -= notifications.reduce(0) { $0 + $1.notification.payload.count }
        return notifications
    }

    /// Returns how many notifications at the start of a list fit in one write, and the size of their events.
    ///
    /// The first of them always fits.
    private func partInOneWrite(
        of notifications: [StoredNotification],
        skipping skippedSequences: Set<Int> = []
    ) -> (count: Int, bytes: Int) {
        var bytes = 0
        for (index, notification) in notifications.enumerated() {
            guard !skippedSequences.contains(notification.sequence) else { continue }
            let size = EventFrame.estimatedSize(of: notification)
            guard bytes == 0 || bytes + size <= limits.writeBytes else { return (index, bytes) }
            bytes += size
        }
        return (notifications.count, bytes)
    }

    /// Whether the stream can send nothing until notifications are acknowledged.
    var isWindowFull: Bool {
        isBehind && capacity <= 0
    }

    /// Returns the notifications of a page to send now, recorded as sent.
    ///
    /// Notifications that were sent and are not acknowledged are skipped, as the inbox may have been rewound. A rewind
    /// during the read of the page takes effect after it. If not all fit in one write, the rest is read again once the
    /// client has read these, so that a slow client keeps little in memory; a page with transient notifications is sent
    /// whole. Notifications that have expired since the page was requested are skipped, and the inbox is read again.
    mutating func receive(
        _ page: [StoredNotification],
        for request: PageRequest,
        at time: SendTime
    ) -> [StoredNotification] {
        guard case .page(let hasGrown, let removed) = pageRead else { return [] }
        pageRead = .idle
        var skippedSequences = removed.union(page.map(\.sequence).filter { sentNotifications[$0] != nil })
        let expired = page.filter { $0.notification.isExpired(at: time.timestamp) }.map(\.sequence)
        let hasExpired = !skippedSequences.isSuperset(of: expired)
        skippedSequences.formUnion(expired)
        let part = partInOneWrite(of: page, skipping: skippedSequences)
        let bytes = part.bytes
        // The store returns a transient notification only once.
        let count = page.contains(where: \.notification.isTransient) ? page.count : part.count
        let isCut = count < page.count
        if isCut {
            pageLimit = count
        } else if 2 * bytes <= limits.writeBytes {
            pageLimit = min(limits.page, 2 * pageLimit)
        }
        let readPart = page.prefix(count)
        let last = readPart.last?.sequence ?? request.position
        lastReadSequence = max(lastReadSequence, readPart.last?.sequence ?? 0)
        if request.rewindCount == rewindCount { position = max(position, last) }
        if !isCut, page.count < request.limit, !hasGrown {
            isBehind = false
            lastReadSequence = max(lastReadSequence, lastKnownSequence)
        }
        if hasExpired { rewind() }
        return readPart.filter { !skippedSequences.contains($0.sequence) }.map { recordSent($0, at: time) }
    }

    /// Records that a page could not be read.
    mutating func recordReadFailure() {
        pageRead = .idle
    }

    /// Records a notification as sent, and returns it with `wasSent` set if it was sent before.
    private mutating func recordSent(_ stored: StoredNotification, at time: SendTime) -> StoredNotification {
        if stored.sequence < highestSentSequence, turnsBeforeReordering == nil { turnsBeforeReordering = turnCount }
        highestSentSequence = max(highestSentSequence, stored.sequence)
        turnCount += 1
        if awaitingRedelivery[stored.sequence]?.turn == nil {
            sentOrder.append(SentPlace(sequence: stored.sequence, turn: turnCount))
        }
        guard !stored.notification.isTransient else {
            let attempts = DeliveryAttempts(at: time.timestamp)
            sentTransient[stored.sequence] = SentTransient(notification: stored, turn: turnCount, attempts: attempts)
            return stored
        }
        let earlier = awaitingRedelivery.removeValue(forKey: stored.sequence)
        var attempts = DeliveryAttempts(at: time.timestamp)
        if var before = earlier?.attempts {
            before.merge(attempts)
            attempts = before
        }
        let redeliveryTime = time.deadline + redelivery.delay(after: attempts.count)
        earliestRedelivery = min(earliestRedelivery, redeliveryTime)
        sentNotifications[stored.sequence] = SentNotification(
            batch: stored.batch,
            turn: earlier?.turn ?? turnCount,
            attempts: attempts,
            redeliveryTime: redeliveryTime
        )
        var stored = stored
        stored.wasSent = stored.wasSent || earlier != nil
        return stored
    }

    /// Marks the notifications whose time of redelivery has come to be sent again, and returns their sequences.
    mutating func markOverdueForRedelivery(at now: NIODeadline) -> [Int] {
        if let inboxRereadTime, inboxRereadTime <= now {
            self.inboxRereadTime = nil
            rewind()
        }
        guard earliestRedelivery <= now else { return [] }
        let overdue = sentNotifications.filter { $0.value.redeliveryTime <= now }
        for (sequence, notification) in overdue {
            sentNotifications[sequence] = nil
            awaitingRedelivery[sequence] = notification
        }
        earliestRedelivery = sentNotifications.values.map(\.redeliveryTime).min() ?? .distantFuture
        if !overdue.isEmpty { rewind() }
        return Array(overdue.keys)
    }
}

// MARK: Acknowledging and removing

extension DeviceSession {
    /// Returns the sequences that a cumulative acknowledgement up to `sequence` covers.
    ///
    /// These are the sequences up to `sequence` that were sent on this stream, and not after `sequence` itself was
    /// sent, even if it has left the inbox since. So it never covers a notification that was held back or is in flight:
    /// sequences do not always grow along a stream.
    ///
    /// - Complexity: O(number of these sequences), if the notifications were sent in order.
    func sequencesCovered(upTo sequence: Int) -> [Int] {
        let last = turn(of: sequence) ?? lastTurn(before: sequence)
        var sequences: [Int] = []
        for candidate in sentOrder where turn(of: candidate.sequence) != nil {
            guard candidate.turn <= last else { break }
            if candidate.sequence <= sequence {
                sequences.append(candidate.sequence)
            } else if turnsBeforeReordering == nil {
                break
            }
        }
        return turnsBeforeReordering == nil ? sequences : sequences.sorted()
    }

    /// The turn of a notification that was sent on this stream and is not acknowledged.
    private func turn(of sequence: Int) -> Int? {
        (sentNotifications[sequence] ?? awaitingRedelivery[sequence])?.turn ?? sentTransient[sequence]?.turn
    }

    /// The last turn that an acknowledgement up to `sequence`, which was removed or never sent, covers.
    ///
    /// If everything was sent in order, comparing sequences is enough. That is also true of what was sent before the
    /// first notification out of order, so this is the result if the turn of `sequence` is forgotten.
    private func lastTurn(before sequence: Int) -> Int {
        guard let turnsBeforeReordering, sequence <= highestSentSequence else { return .max }
        return sentOrder.last { $0.sequence == sequence }?.turn ?? turnsBeforeReordering
    }

    /// Returns the times at which an unacknowledged notification was sent, or `nil` if it was not sent.
    func attempts(of sequence: Int) -> DeliveryAttempts? {
        (sentNotifications[sequence] ?? awaitingRedelivery[sequence])?.attempts ?? sentTransient[sequence]?.attempts
    }

    /// The times at which the notifications that are still in the inbox were sent, by sequence.
    var attempts: [Int: DeliveryAttempts] {
        sentNotifications.merging(awaitingRedelivery) { $1 }.mapValues(\.attempts)
    }

    /// Removes a notification that left the inbox; returns the times at which it was sent.
    @discardableResult
    mutating func remove(_ sequence: Int) -> DeliveryAttempts? {
        if case .page(let hasGrown, var removed) = pageRead {
            removed.insert(sequence)
            pageRead = .page(hasGrown: hasGrown, removed: removed)
        }
        removeFromQueue { $0.sequence == sequence && !$0.notification.isTransient }
        defer { pruneSentOrder() }
        let removedNotification =
            sentNotifications.removeValue(forKey: sequence) ?? awaitingRedelivery.removeValue(forKey: sequence)
        return removedNotification?.attempts
    }

    /// Removes acknowledged notifications from `sentOrder`: the first ones, and all if they are the greater part.
    private mutating func pruneSentOrder() {
        while let first = sentOrder.first, turn(of: first.sequence) == nil { sentOrder.removeFirst() }
        if sentOrder.isEmpty { turnsBeforeReordering = nil }
        let unacknowledgedCount = sentNotifications.count + awaitingRedelivery.count + sentTransient.count
        if sentOrder.count > 2 * unacknowledgedCount + removedPlaceLimit {
            sentOrder = Deque(sentOrder.filter { turn(of: $0.sequence) != nil })
        }
    }

    /// Removes the transient notifications for which `isEnding` is true.
    mutating func endTransient(
        where isEnding: (StoredNotification) -> Bool
    ) -> [(StoredNotification, DeliveryAttempts?)] {
        let endedNotifications = transient.filter(isEnding).map { ($0, sentTransient[$0.sequence]?.attempts) }
        removeFromQueue { $0.notification.isTransient && isEnding($0) }
        for (notification, _) in endedNotifications { sentTransient[notification.sequence] = nil }
        return endedNotifications
    }

    /// Removes notifications that are acknowledged; returns the transient ones among them.
    mutating func acknowledge(_ sequences: some Collection<Int>) -> [SentTransient] {
        for sequence in sequences { remove(sequence) }
        guard !sentTransient.isEmpty else { return [] }
        defer { pruneSentOrder() }
        return sequences.compactMap { sentTransient.removeValue(forKey: $0) }
    }

    private mutating func removeFromQueue(where shouldRemove: (StoredNotification) -> Bool) {
        guard !queue.isEmpty else { return }
        queue.removeAll(where: shouldRemove)
        queueBytes = queue.reduce(0) { $0 + $1.notification.payload.count }
    }
}
