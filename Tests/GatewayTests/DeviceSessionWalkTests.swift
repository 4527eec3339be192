import GatewayStore
import NIOCore
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// A simulated stream and inbox, with all the delays between them.
///
/// Updates about stored notifications arrive late and out of order, pages show an earlier state of the inbox, and
/// acknowledgements reach the inbox before the stream.
private struct World {
    var session: DeviceSession
    var inbox: Set<Int> = []
    var held: Set<Int> = []
    var news: [StoredNotification] = []
    var page: (request: DeviceSession.PageRequest, notifications: [StoredNotification])?
    var departed: [Int] = []
    var inFlight: Set<Int> = []
    var acknowledged: Set<Int> = []
    var firstSent: Set<Int> = []

    /// The place of each notification in the order in which the present stream has sent them.
    var turns: [Int: Int] = [:]
    var findings: [String] = []
    var last = 0
    var second: Int64 = 0
    private var generator: SeededGenerator
    private let limits: SessionLimits

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        var limits = SessionLimits()
        limits.window = .random(in: 1...12, using: &generator)
        limits.queue = .random(in: 1...6, using: &generator)
        limits.page = .random(in: 1...4, using: &generator)
        limits.writeBytes = .random(in: 1...3, using: &generator) * EventFrame.estimatedSize(of: .example(1))
        self.limits = limits
        session = DeviceSessionTests.session(limits: limits)
    }

    mutating func step() {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: store()
        case 2, 3: tell()
        case 4, 5: turn()
        case 6: endReading()
        case 7, 8: acknowledge()
        case 9: forget()
        case 10: pass()
        default: disturb()
        }
    }

    /// Stores a notification, which is either held back or announced to the stream later.
    private mutating func store() {
        last += 1
        inbox.insert(last)
        if Int.random(in: 0..<5, using: &generator) == 0 { held.insert(last) } else { news.append(.example(last)) }
    }

    private mutating func tell() {
        guard let index = news.indices.randomElement(using: &generator) else { return }
        _ = session.add(news.remove(at: index))
    }

    private mutating func turn() {
        switch session.next(at: .second(second)) {
        case .wait: break
        case .send(let notifications): note(notifications)
        case .read(let request):
            if page != nil { findings.append("two page reads at the same time") }
            let there = inbox.subtracting(held).filter { $0 > request.position }.sorted()
            page = (request, StoredNotification.examples(there.prefix(request.limit)))
        }
    }

    private mutating func endReading() {
        guard let page else { return }
        self.page = nil
        if Int.random(in: 0..<8, using: &generator) == 0 { return session.recordReadFailure() }
        note(session.receive(page.notifications, for: page.request, at: .second(second)))
    }

    private mutating func note(_ notifications: [StoredNotification]) {
        for sequence in notifications.map(\.sequence) {
            if acknowledged.contains(sequence) { findings.append("\(sequence) was sent after its acknowledgement") }
            if inFlight.contains(sequence) { findings.append("\(sequence) was sent twice without a reason") }
            inFlight.insert(sequence)
            firstSent.insert(sequence)
            let turn = turns[sequence] ?? turns.count
            turns[sequence] = turn
        }
        if inFlight.subtracting(departed).count > limits.window { findings.append("more in flight than the window") }
    }

    /// Removes acknowledged notifications from the inbox; `forget()` removes them from the stream later.
    private mutating func acknowledge() {
        let target = Int.random(in: 0...last + 1, using: &generator)
        let covered = session.sequencesCovered(upTo: target)
        if !Set(covered).isSubset(of: firstSent) { findings.append("\(covered) covers unsent notifications") }
        if let expected = expectedCover(upTo: target), covered != expected {
            findings.append("an acknowledgement up to \(target) covers \(covered) instead of \(expected)")
        }
        let some = covered.filter { _ in Bool.random(using: &generator) }
        inbox.subtract(some)
        departed += some
    }

    /// Returns what an acknowledgement up to a notification covers; `nil` if the present stream has not sent it.
    private func expectedCover(upTo target: Int) -> [Int]? {
        guard let last = turns[target] else { return nil }
        let unacknowledged = Set(session.sentNotifications.keys).union(session.awaitingRedelivery.keys)
        return unacknowledged.filter { $0 <= target && turns[$0] ?? .max <= last }.sorted()
    }

    private mutating func forget() {
        for sequence in departed { session.remove(sequence) }
        acknowledged.formUnion(departed)
        inFlight.subtract(departed)
        departed = []
    }

    private mutating func pass() {
        second += .random(in: 1...40, using: &generator)
        for sequence in session.markOverdueForRedelivery(at: DeviceSession.SendTime.second(second).deadline) {
            inFlight.remove(sequence)
        }
    }

    /// Releases all notifications that are held back, or replaces the stream.
    private mutating func disturb() {
        if Bool.random(using: &generator) {
            held = []
            session.rewind()
        } else {
            session = DeviceSessionTests.session(from: session, limits: limits)
            page = nil
            inFlight = []
            turns = [:]
        }
    }

    /// Releases everything and runs until the inbox is empty.
    mutating func settle() {
        forget()
        held = []
        session.rewind()
        for _ in 0..<1_000 where !inbox.isEmpty || !news.isEmpty {
            tell()
            turn()
            endReading()
            acknowledge()
            forget()
        }
    }
}

@Suite struct DeviceSessionWalkTests {
    @Test(arguments: Trials.seeds(200)) func everyStoredNotificationIsSentAndNeverAfterItsAcknowledgement(
        _ seed: UInt64
    ) {
        var world = World(seed: seed)
        for _ in 0..<400 { world.step() }
        world.settle()
        #expect(world.findings.isEmpty, "\(world.findings.prefix(3))")
        #expect(world.inbox.isEmpty)
        #expect(world.firstSent == Set(1...max(1, world.last)))
    }
}
