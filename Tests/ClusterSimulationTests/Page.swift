/// A page of an inbox that a stream reads.
struct Page {
    /// The progress of the read.
    enum Phase {
        case inbox
        case unread

        /// A change marks the transient notifications as read.
        case taking
        case read
    }

    let agent: Int
    let epoch: Int
    let request: DeviceStream.Request

    /// The time at which the read began, on the clock of its gateway.
    let time: Int
    var phase = Phase.inbox
    var notifications: [Notification] = []

    /// Whether the inbox has no more notifications.
    var isLast = false

    /// Adds the inbox after the position of the request.
    mutating func readInbox(_ tables: Tables) {
        let rest = tables.inbox(of: agent).filter { $0.sequence > request.position && !$0.isExpired(at: time) }
        notifications = Array(rest.prefix(DeviceStream.limit))
    }

    /// Adds transient notifications, and returns the sequences of those that are on the page.
    mutating func readUnread(_ tables: Tables) -> [Int] {
        let all = (notifications + tables.unread(of: agent)).sorted { $0.sequence < $1.sequence }
        notifications = Array(all.prefix(DeviceStream.limit))
        isLast = notifications.count < DeviceStream.limit
        return notifications.filter(\.isTransient).map(\.sequence)
    }

    /// Removes the transient notifications that another reader has taken.
    mutating func keepTaken(_ taken: [Int], _ rules: Rules) {
        notifications.removeAll { $0.isTransient && !taken.contains($0.sequence) }
        if rules.has(.shortPageIsLast) { isLast = notifications.count < DeviceStream.limit }
    }
}

/// Reading pages.
extension SimulatedCluster {
    /// Runs the next statement of a page, or sends it once it is complete.
    mutating func read(_ number: Int, at site: Int) throws(Violation) {
        guard var page = gateways[site]?.pages[number] else { return }
        switch page.phase {
        case .inbox:
            page.readInbox(database.tables)
            page.phase = .unread
            gateways[site]?.pages[number] = page
            if !rules.has(.pageInTwoStatements) { readUnread(number, page, at: site) }
        case .unread: readUnread(number, page, at: site)
        case .taking: break
        case .read:
            gateways[site]?.pages[number] = nil
            try send(page, at: site)
        }
    }

    private mutating func readUnread(_ number: Int, _ page: Page, at site: Int) {
        var page = page
        let unread = page.readUnread(database.tables)
        page.phase = unread.isEmpty ? .read : .taking
        gateways[site]?.pages[number] = page
        if !unread.isEmpty { gateways[site]?.waiting.append(.take(page: number, unread)) }
        note("  page \(number) of stream \(page.epoch): \(page.notifications)")
    }

    private mutating func send(_ page: Page, at site: Int) throws(Violation) {
        let transient = page.notifications.filter(\.isTransient)
        guard var stream = gateways[site]?.streams[page.agent], stream.epoch == page.epoch else {
            // The present stream gets what this one has taken.
            return handOver(transient, at: site)
        }
        let now = rules.has(.expirationIsNotCheckedAgain) ? page.time : clock
        let fresh = try stream.send(page.notifications, of: page.request, isLast: page.isLast, at: now)
        gateways[site]?.streams[page.agent] = stream
        try write(fresh, to: stream)
        handOver(transient.filter { !fresh.contains($0) }, at: site)
    }

    /// Ends the stream of a page that could not be read.
    mutating func failPage(_ number: Int, at site: Int) {
        guard let page = gateways[site]?.pages.removeValue(forKey: number),
            gateways[site]?.streams[page.agent]?.epoch == page.epoch
        else { return }
        endStream(of: page.agent, at: site)
    }
}

extension GatewayProcess {
    /// Completes a page whose transient notifications are marked as read.
    mutating func take(_ sequences: [Int], of page: Int, _ rules: Rules) {
        pages[page]?.keepTaken(sequences, rules)
        pages[page]?.phase = .read
    }
}
