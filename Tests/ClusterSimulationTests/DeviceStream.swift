/// The open stream of an agent at a gateway, with the rules of the gateway's `DeviceSession`.
struct DeviceStream {
    /// A request for a page of the inbox.
    struct Request {
        var position: Int
        var rewinds: Int
    }

    private enum Reading {
        case idle

        /// A page is being read; the inbox may have grown, and these sequences were removed from it.
        case page(hasGrown: Bool, removed: Set<Int>)
    }

    /// The number of notifications of a page.
    static let limit = 2

    let agent: Int
    let epoch: Int

    /// The connection to the device.
    let connection: Int

    /// The notifications to send, and the transient ones that were sent and are not acknowledged.
    private(set) var queue: [Notification] = []
    private(set) var sentTransient: [Int: Notification] = [:]

    /// The sequences that were sent and not acknowledged.
    private var sent: Set<Int> = []

    private var position = 0
    private var rewinds = 0
    private(set) var isBehind = true

    /// The sequences up to which the inbox was read, and is known to have notifications.
    private var covered = 0
    private var known = 0
    private var reading = Reading.idle

    /// The identities that were sent, and the greatest sequence since the inbox was read from the start, for the
    /// checker.
    private(set) var identities: Set<Int> = []
    private var greatest = 0

    /// Creates a stream that takes over the transient notifications of `predecessor`.
    init(_ agent: Int, _ epoch: Int, _ connection: Int, from predecessor: Self?) {
        self.agent = agent
        self.epoch = epoch
        self.connection = connection
        guard let predecessor else { return }
        covered = predecessor.covered
        queue = predecessor.transient
    }

    /// The transient notifications that have not ended, in order.
    var transient: [Notification] {
        sentTransient.values.sorted { $0.sequence < $1.sequence } + queue.filter(\.isTransient)
    }
}

/// New notifications.
extension DeviceStream {
    /// Adds a notification that was just accepted.
    mutating func add(_ notification: Notification) {
        guard !notification.isTransient else { return queue.append(notification) }
        guard notification.sequence > covered, !sent.contains(notification.sequence) else { return }
        if isBehind { recordNew() } else { queue.append(notification) }
    }

    /// Records that the inbox may have notifications that were not sent.
    mutating func recordNew() {
        isBehind = true
        if case .page(_, let removed) = reading { reading = .page(hasGrown: true, removed: removed) }
    }

    /// Records that the inbox has notifications up to `sequence`.
    mutating func recordNew(upTo sequence: Int) {
        guard sequence > covered else { return }
        known = max(known, sequence)
        recordNew()
    }

    /// Starts reading the inbox from the start again.
    mutating func rewind() {
        queue.removeAll { !$0.isTransient }
        position = 0
        rewinds += 1
        greatest = 0
        recordNew()
    }

    /// Returns the notifications of the queue to the inbox if some of them have expired; returns whether they have.
    mutating func returnExpired(at now: Int) -> Bool {
        guard queue.contains(where: { $0.isExpired(at: now) }) else { return false }
        rewind()
        return true
    }
}

/// Sending.
extension DeviceStream {
    /// Whether the stream has something to send or to read.
    var hasWork: Bool {
        !queue.isEmpty || canRead
    }

    /// Whether a page can be read now.
    var canRead: Bool {
        if isBehind, case .idle = reading { true } else { false }
    }

    /// Returns the notifications of the queue, which are recorded as sent.
    mutating func takeQueue() throws(Violation) -> [Notification] {
        let notifications = queue
        queue = []
        for notification in notifications { try recordSent(notification) }
        return notifications
    }

    /// Begins to read a page.
    mutating func beginReading() -> Request {
        reading = .page(hasGrown: false, removed: [])
        return Request(position: position, rewinds: rewinds)
    }

    /// Returns the notifications of a page to send now, which are recorded as sent.
    ///
    /// Those that have expired at `now` are skipped, and the inbox is read again.
    mutating func send(
        _ page: [Notification],
        of request: Request,
        isLast: Bool,
        at now: Int
    ) throws(Violation) -> [Notification] {
        guard case .page(let hasGrown, let removed) = reading else { return [] }
        reading = .idle
        let unsent = page.filter { !sent.contains($0.sequence) && !removed.contains($0.sequence) }
        let fresh = unsent.filter { !$0.isExpired(at: now) }
        covered = max(covered, page.last?.sequence ?? 0)
        if request.rewinds == rewinds { position = page.last?.sequence ?? request.position }
        if isLast, !hasGrown {
            isBehind = false
            covered = max(covered, known)
        }
        for notification in fresh { try recordSent(notification) }
        if fresh.count < unsent.count { rewind() }
        return fresh
    }

    private mutating func recordSent(_ notification: Notification) throws(Violation) {
        let isFirst = identities.insert(notification.identity).inserted
        guard !notification.isTransient else {
            sentTransient[notification.sequence] = notification
            return
        }
        sent.insert(notification.sequence)
        guard isFirst else { return }
        guard notification.sequence > greatest else {
            throw Violation("stream \(epoch) sends \(notification) after \(greatest)")
        }
        greatest = notification.sequence
    }

    /// Removes acknowledged notifications; returns the transient ones among them.
    mutating func acknowledge(_ sequences: [Int]) -> [Notification] {
        forget(sequences)
        return sequences.compactMap { sentTransient.removeValue(forKey: $0) }
    }

    /// Removes notifications that left the inbox.
    mutating func forget(_ sequences: [Int]) {
        if case .page(let hasGrown, let removed) = reading {
            reading = .page(hasGrown: hasGrown, removed: removed.union(sequences))
        }
        queue.removeAll { !$0.isTransient && sequences.contains($0.sequence) }
        sent.subtract(sequences)
    }
}
