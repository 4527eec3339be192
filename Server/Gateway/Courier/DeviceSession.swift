internal import Delivery
internal import GatewayStore
internal import NIOCore
internal import WaypostSchema

/// One agent's open stream, as a value: what was sent on it, and what is still to be sent.
///
/// What comes while the stream keeps up goes from `queue` to the socket. What does not fit is only in the inbox, and so is
/// what was there before; a stream that is behind reads it in pages until there is nothing that it has not sent.
struct DeviceSession: Sendable {
    /// What the gateway tells a stream.
    enum Signal: Sendable, Equatable {
        /// There may be something to send.
        case somethingNew

        /// The stream is the agent's no more.
        case ended(StreamEnd.Reason)
    }

    /// What a stream does next.
    enum Step: Sendable, Equatable {
        /// It writes these, which are noted as sent.
        case send([StoredNotification])

        /// It reads a page of the inbox.
        case read(PageRequest)

        /// Nothing, until it is told that there is something new.
        case wait
    }

    /// A page of the inbox that is to be read.
    struct PageRequest: Sendable, Equatable {
        /// The sequence behind which it begins.
        var position: Int

        /// How many notifications it has at most.
        var limit: Int

        /// How often reading had begun anew, so that a page from before does not move the position.
        var rewinds: Int
    }

    /// A notification that was sent and is not acknowledged.
    struct Sent: Sendable {
        /// The batch it came in.
        var batch: BatchNumber

        /// How many were sent on this stream before it was first; `nil` where only an earlier stream has sent it.
        var turn: Int?

        /// When and how often it was sent.
        var attempts: DeliveryAttempts

        /// When it is to be sent again.
        var due: NIODeadline
    }

    /// A notification that is now or never, was sent and is not acknowledged.
    struct SentTransient: Sendable {
        var notification: StoredNotification
        var turn: Int
        var attempts: DeliveryAttempts
    }

    /// The time of something that is sent: on the machine's clock, which waits are measured on, and on the namespace's.
    struct Moment: Sendable {
        var deadline: NIODeadline
        var timestamp: Timestamp
    }

    /// Whether a page of the inbox is being read, and what happened since that began.
    private enum Reading {
        case idle

        /// Whether the inbox may have grown, and what left it.
        case page(hasGrown: Bool, removed: Set<Int>)
    }

    /// What tells this stream from those before and after it.
    let number: Int

    /// How it is told something.
    let signal: @Sendable (Signal) -> Void

    private let limits: SessionLimits
    private let redelivery: RedeliveryPolicy

    /// What came while the stream kept up, and what is now or never.
    private(set) var queue: [StoredNotification] = []
    private var queueBytes = 0

    /// What was sent out of the inbox, and what of it is to be sent again: the stream finds it when it reads on.
    private(set) var sent: [Int: Sent] = [:]
    private(set) var again: [Int: Sent] = [:]

    /// What was sent and is now or never.
    private(set) var sentTransient: [Int: SentTransient] = [:]

    /// Nothing that was sent is due again before this.
    private var earliestDue = NIODeadline.distantFuture

    /// Where the inbox is read next, and how often reading began anew.
    private(set) var position: Int
    private var rewinds = 0

    /// Whether the inbox may hold what this stream has not sent.
    private(set) var isBehind = true

    /// The greatest sequence up to which pages were read: whoever tells of something below it is late.
    private var covered = 0

    private var reading = Reading.idle

    private var turns = 0

    /// The greatest sequence that was sent, and how many were sent before the last that was less than one before it.
    private var greatestSent = 0
    private var turnsInOrder: Int?

    /// When a stream that resumed somewhere reads its inbox from the start: what is there of what its reader passes over was
    /// not acknowledged, or was held back when the rest was sent.
    private var secondLook: NIODeadline?

    /// Creates a stream that resumes behind sequence `start`, and takes over from `predecessor`.
    init(
        number: Int,
        after start: Int,
        at now: NIODeadline,
        from predecessor: Self?,
        _ limits: SessionLimits,
        _ redelivery: RedeliveryPolicy,
        signal: @escaping @Sendable (Signal) -> Void
    ) {
        self.number = number
        self.signal = signal
        self.limits = limits
        self.redelivery = redelivery
        position = start
        if start > 0 { secondLook = now + redelivery.wait(after: 1) }
        guard let predecessor else { return }
        covered = predecessor.covered
        queue = predecessor.transient
        queueBytes = queue.reduce(0) { $0 + $1.notification.payload.count }
        again = predecessor.sent.merging(predecessor.again) { $1 }.mapValues { sent in
            var sent = sent
            sent.turn = nil
            return sent
        }
    }
}

// MARK: What comes

extension DeviceSession {
    /// What is now or never and was not acknowledged.
    var transient: [StoredNotification] {
        sentTransient.values.map(\.notification).sorted { $0.sequence < $1.sequence }
            + queue.filter(\.notification.isTransient)
    }

    /// Takes in what has just been accepted; `false` where it is now or never and there is no room for it.
    mutating func add(_ notification: StoredNotification) -> Bool {
        let bytes = notification.notification.payload.count
        let hasRoom = queue.count < limits.queue && queueBytes + bytes <= limits.queueBytes && capacity > 0
        if !notification.notification.isTransient {
            guard notification.sequence > covered, sent[notification.sequence] == nil else { return true }
            guard !isBehind, hasRoom else {
                noteNew()
                return true
            }
        }
        guard hasRoom else { return false }
        queue.append(notification)
        queueBytes += bytes
        return true
    }

    /// Notes that the inbox may hold something that this stream has not sent.
    mutating func noteNew() {
        isBehind = true
        if case .page(_, let removed) = reading { reading = .page(hasGrown: true, removed: removed) }
    }

    /// Reads the inbox again from its start, because something in it does not wait any more, or goes elsewhere.
    mutating func rewind() {
        removeFromQueue { !$0.notification.isTransient }
        position = 0
        rewinds += 1
        noteNew()
    }

    /// How many more may be sent before some are acknowledged.
    private var capacity: Int {
        limits.window - sent.count - sentTransient.count - queue.count
    }
}

// MARK: What is sent

extension DeviceSession {
    /// Returns what the stream does next; what it sends is noted as sent.
    mutating func next(at moment: Moment) -> Step {
        if !queue.isEmpty {
            let notifications = queue
            (queue, queueBytes) = ([], 0)
            return .send(notifications.map { noteSent($0, at: moment) })
        }
        let limit = min(limits.page, capacity)
        guard isBehind, case .idle = reading, limit > 0 else { return .wait }
        reading = .page(hasGrown: false, removed: [])
        return .read(PageRequest(position: position, limit: limit, rewinds: rewinds))
    }

    /// Whether it waits for acknowledgements alone.
    var isWindowFull: Bool {
        isBehind && capacity <= 0
    }

    /// Returns what of a page of the inbox is to be sent now, which is noted as sent.
    ///
    /// What was sent before and is not acknowledged is passed over: reading may have begun anew. Where it did while the
    /// page was read, it begins there all the same.
    mutating func send(_ page: [StoredNotification], of request: PageRequest, at moment: Moment) -> [StoredNotification]
    {
        guard case .page(let hasGrown, let removed) = reading else { return [] }
        reading = .idle
        let fresh = page.filter { sent[$0.sequence] == nil && !removed.contains($0.sequence) }
        let last = page.last?.sequence ?? request.position
        covered = max(covered, page.last?.sequence ?? 0)
        if request.rewinds == rewinds { position = last }
        if page.count < request.limit, !hasGrown { isBehind = false }
        return fresh.map { noteSent($0, at: moment) }
    }

    /// Notes that a page could not be read.
    mutating func cancelReading() {
        reading = .idle
    }

    /// Notes something as sent; returns it, saying whether it was sent before.
    private mutating func noteSent(_ stored: StoredNotification, at moment: Moment) -> StoredNotification {
        if stored.sequence < greatestSent { turnsInOrder = turns }
        greatestSent = max(greatestSent, stored.sequence)
        turns += 1
        guard !stored.notification.isTransient else {
            let attempts = DeliveryAttempts(at: moment.timestamp)
            sentTransient[stored.sequence] = SentTransient(notification: stored, turn: turns, attempts: attempts)
            return stored
        }
        let earlier = again.removeValue(forKey: stored.sequence)
        var attempts = DeliveryAttempts(at: moment.timestamp)
        if var before = earlier?.attempts {
            before.append(attempts)
            attempts = before
        }
        let due = moment.deadline + redelivery.wait(after: attempts.count)
        earliestDue = min(earliestDue, due)
        sent[stored.sequence] = Sent(batch: stored.batch, turn: earlier?.turn ?? turns, attempts: attempts, due: due)
        var stored = stored
        stored.wasSent = stored.wasSent || earlier != nil
        return stored
    }

    /// Lets what was sent long enough ago be sent again; returns its sequences.
    mutating func takeDue(at now: NIODeadline) -> [Int] {
        if let secondLook, secondLook <= now {
            self.secondLook = nil
            rewind()
        }
        guard earliestDue <= now else { return [] }
        let due = sent.filter { $0.value.due <= now }
        for (sequence, notification) in due {
            sent[sequence] = nil
            again[sequence] = notification
        }
        earliestDue = sent.values.map(\.due).min() ?? .distantFuture
        if !due.isEmpty { rewind() }
        return Array(due.keys)
    }
}

// MARK: What leaves

extension DeviceSession {
    /// The sequences that a cumulative acknowledgement up to `sequence` covers: what has no greater one and was sent on this
    /// stream, and not after `sequence` itself was.
    ///
    /// So it never swallows what was held back, nor what is still on its way: sequences do not always grow along a stream.
    func covered(upTo sequence: Int) -> [Int] {
        let last =
            (sent[sequence] ?? again[sequence])?.turn ?? sentTransient[sequence]?.turn ?? lastTurn(before: sequence)
        let isCovered = { (candidate: Int, turn: Int?) in
            guard let turn else { return false }
            return candidate <= sequence && turn <= last
        }
        let stored = [sent, again].flatMap { $0.filter { isCovered($0.key, $0.value.turn) }.keys }
        return (stored + sentTransient.filter { isCovered($0.key, $0.value.turn) }.keys).sorted()
    }

    /// The last turn that what was sent before `sequence` can have had, that being gone or never sent: where all was sent in order
    /// since, its sequence says enough.
    private func lastTurn(before sequence: Int) -> Int {
        sequence > greatestSent ? .max : turnsInOrder ?? .max
    }

    /// When and how often something was sent that is not acknowledged; `nil` where it was not.
    func attempts(of sequence: Int) -> DeliveryAttempts? {
        sent[sequence]?.attempts ?? again[sequence]?.attempts ?? sentTransient[sequence]?.attempts
    }

    /// When and how often everything was sent that is in the inbox still, by sequence.
    var attempts: [Int: DeliveryAttempts] {
        sent.merging(again) { $1 }.mapValues(\.attempts)
    }

    /// Forgets what left the inbox; returns when and how often it was sent.
    @discardableResult
    mutating func forget(_ sequence: Int) -> DeliveryAttempts? {
        if case .page(let hasGrown, var removed) = reading {
            removed.insert(sequence)
            reading = .page(hasGrown: hasGrown, removed: removed)
        }
        removeFromQueue { $0.sequence == sequence && !$0.notification.isTransient }
        return (sent.removeValue(forKey: sequence) ?? again.removeValue(forKey: sequence))?.attempts
    }

    /// Takes what is now or never and `isEnding` out of the air.
    mutating func endTransient(
        where isEnding: (StoredNotification) -> Bool
    ) -> [(StoredNotification, DeliveryAttempts?)] {
        let ended = transient.filter(isEnding).map { ($0, sentTransient[$0.sequence]?.attempts) }
        removeFromQueue { $0.notification.isTransient && isEnding($0) }
        for (notification, _) in ended { sentTransient[notification.sequence] = nil }
        return ended
    }

    /// Takes what is now or never, was sent and is acknowledged out of the air.
    mutating func acknowledgeTransient(_ sequences: [Int]) -> [SentTransient] {
        sequences.compactMap { sentTransient.removeValue(forKey: $0) }
    }

    private mutating func removeFromQueue(where isLeaving: (StoredNotification) -> Bool) {
        guard !queue.isEmpty else { return }
        queue.removeAll(where: isLeaving)
        queueBytes = queue.reduce(0) { $0 + $1.notification.payload.count }
    }
}
