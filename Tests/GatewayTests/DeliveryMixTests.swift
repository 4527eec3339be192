import GatewayStore
import NIOCore
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// One device whose notifications arrive as payloads and nudges, mixed at random.
///
/// A delivery is handed over in the order of the commits, but later than its notification is in the inbox. A nudge may
/// also be an event, which is late, comes twice, or is lost before a gap; until the stream has seen it, the engine
/// delivers no payload.
private struct MixedDelivery {
    private enum Delivery {
        case payload(StoredNotification)
        case nudge
    }

    private var session: DeviceSession
    private var inbox: Set<Int> = []
    private var handOvers: [Delivery] = []
    private var events = 0
    private var page: (request: DeviceSession.PageRequest, notifications: [StoredNotification])?
    private var unacknowledged: Set<Int> = []
    private var second: Int64 = 0
    private var generator: SeededGenerator
    private let limits: SessionLimits

    /// The sequences in the order in which they were first sent.
    private(set) var firstSent: [Int] = []
    private(set) var last = 0
    private(set) var findings: [String] = []
    private(set) var counts = (payloads: 0, nudges: 0, events: 0, again: 0)

    var isInboxEmpty: Bool {
        inbox.isEmpty
    }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        var limits = SessionLimits()
        limits.window = .random(in: 2...12, using: &generator)
        limits.queue = .random(in: 1...6, using: &generator)
        limits.page = .random(in: 1...4, using: &generator)
        self.limits = limits
        session = DeviceSessionTests.session(limits: limits)
    }

    mutating func step() {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0...3: commit()
        case 4...6: deliver()
        case 7...9: receiveEvent()
        case 10, 11: turn()
        case 12: endReading()
        case 13, 14: acknowledge()
        default: pass()
        }
    }

    private mutating func commit() {
        last += 1
        inbox.insert(last)
        switch events > 0 ? 6 : Int.random(in: 0..<7, using: &generator) {
        case 0...2:
            counts.payloads += 1
            handOvers.append(.payload(.example(last)))
        case 3...5:
            counts.nudges += 1
            handOvers.append(.nudge)
        default:
            counts.events += 1
            // An event that is still to come is enough for this notification, too.
            events = .random(in: 1...2, using: &generator)
        }
    }

    private mutating func deliver() {
        guard !handOvers.isEmpty else { return }
        switch handOvers.removeFirst() {
        case .payload(let notification): _ = session.add(notification)
        case .nudge: session.recordNewNotifications()
        }
    }

    /// A gap has the same effect on a stream as a nudge.
    private mutating func receiveEvent() {
        guard events > 0 else { return }
        events -= 1
        session.recordNewNotifications()
    }

    private mutating func turn() {
        switch session.next(at: .second(second)) {
        case .wait: break
        case .send(let notifications): note(notifications)
        case .read(let request):
            let there = inbox.filter { $0 > request.position }.sorted()
            page = (request, StoredNotification.examples(there.prefix(request.limit)))
        }
    }

    private mutating func endReading() {
        guard let page else { return }
        self.page = nil
        note(session.receive(page.notifications, for: page.request, at: .second(second)))
    }

    private mutating func note(_ notifications: [StoredNotification]) {
        for sequence in notifications.map(\.sequence) {
            if unacknowledged.contains(sequence) { findings.append("\(sequence) was sent twice without a redelivery") }
            unacknowledged.insert(sequence)
            if firstSent.contains(sequence) { counts.again += 1 } else { firstSent.append(sequence) }
        }
    }

    private mutating func acknowledge() {
        for sequence in unacknowledged where Bool.random(using: &generator) {
            inbox.remove(sequence)
            session.remove(sequence)
            unacknowledged.remove(sequence)
        }
    }

    /// Lets time pass, after which unacknowledged notifications may be sent again.
    private mutating func pass() {
        second += .random(in: 1...20, using: &generator)
        for sequence in session.markOverdueForRedelivery(at: DeviceSession.SendTime.second(second).deadline) {
            unacknowledged.remove(sequence)
        }
    }

    /// Delivers and acknowledges everything.
    mutating func settle() {
        for _ in 0..<2_000 where !inbox.isEmpty || !handOvers.isEmpty || events > 0 {
            deliver()
            receiveEvent()
            turn()
            endReading()
            acknowledge()
        }
    }
}

@Suite struct DeliveryMixTests {
    @Test(arguments: Trials.seeds(300))
    func payloadsAndNudgesMixedAtRandomArriveOnceAndInOrder(_ seed: UInt64) {
        var device = MixedDelivery(seed: seed)
        for _ in 0..<400 { device.step() }
        device.settle()
        #expect(device.findings.isEmpty, "\(device.findings.prefix(3))")
        #expect(device.isInboxEmpty)
        #expect(device.firstSent == Array(1...device.last))
        let counts = device.counts
        #expect(counts.payloads > 0 && counts.nudges > 0 && counts.events > 0, "\(counts)")
    }
}
