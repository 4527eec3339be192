internal import Fleets
internal import Histogram
internal import WaypostSchema

/// A recorder of a load test, as a value: the times of the requests, and the items that arrived.
///
/// All times are microseconds since the start of the load. Only items that the schedule intends for the measured part
/// count. A request's items have its intended start.
struct LoadRecorder: Sendable {
    private struct Request {
        var intended: Int
        var started = 0

        /// The time of the answer, or `nil` before it.
        var answered: Int?
    }

    private let traffic: LoadTraffic

    /// The intended starts that count.
    private let measured: Range<Int>

    /// A request that starts later than intended by more than this is a late one.
    private static let tolerance = 1_000

    private var requests: [Request] = []
    private var acceptedItems = BitSet()
    private var arrivedItems = BitSet()
    private var acknowledgedItems = BitSet()

    /// The latest start of a request whose item has arrived, by device.
    private var latestStarts: [Int]

    private(set) var accepted = Histogram<UInt64>.microseconds
    private(set) var delivered = Histogram<UInt64>.microseconds
    private(set) var acknowledged = Histogram<UInt64>.microseconds

    /// The latency to the arrival on the device since the last call of `takeSecond`.
    private var deliveredInSecond = Histogram<UInt64>.microseconds

    private(set) var offered = 0
    private(set) var achieved = 0
    private(set) var lateStarts = 0
    private(set) var duplicated = 0
    private(set) var reordered = 0
    private(set) var errors: [String: Int] = [:]

    /// The counts of the second that goes on, and of the whole load, with the warm-up.
    private var second = LoadSecond(second: 0)
    private var backlog = 0

    init(_ traffic: LoadTraffic, devices: Int, measured: Range<Int>) {
        self.traffic = traffic
        self.measured = measured
        latestStarts = Array(repeating: -1, count: devices)
    }

    /// Returns the number of the next request, which the schedule intends for a time.
    mutating func offer(at intended: Int) -> Int {
        requests.append(Request(intended: intended))
        second.offered += traffic.itemsPerRequest
        if measured.contains(intended) { offered += traffic.itemsPerRequest }
        return requests.count - 1
    }

    /// Notes that a request begins.
    mutating func start(_ request: Int, at now: Int) {
        requests[request].started = now
        if counts(request), now - requests[request].intended > Self.tolerance { lateStarts += 1 }
    }

    /// Notes the answer to a request.
    ///
    /// - Parameters:
    ///   - request: the number of the request.
    ///   - refused: the places of the refused items in the request, from 0, with the reasons.
    ///   - now: the time.
    mutating func answer(_ request: Int, refusing refused: [Int: String], at now: Int) {
        let isMeasured = counts(request)
        requests[request].answered = now
        let first = request * traffic.itemsPerRequest
        var count = 0
        for place in 0..<traffic.itemsPerRequest {
            if let reason = refused[place] {
                note(reason, 1, isMeasured: isMeasured)
            } else {
                count += 1
                _ = acceptedItems.insert(first + place)
                // An item may have arrived, and even be acknowledged, before its request is answered.
                if !acknowledgedItems.contains(first + place) { backlog += 1 }
            }
        }
        second.accepted += count
        guard isMeasured else { return }
        achieved += count
        accepted.record(UInt64(max(0, now - requests[request].intended)), count: UInt64(count))
    }

    /// Notes that a request failed: none of its items was accepted, as far as is known.
    mutating func fail(_ request: Int, reason: String) {
        note(reason, traffic.itemsPerRequest, isMeasured: counts(request))
    }

    /// Notes that an item arrived on its device.
    mutating func arrive(_ id: NotificationID, at now: Int) {
        guard let number = traffic.identifiers.number(of: id) else { return }
        let request = number / traffic.itemsPerRequest
        guard request < requests.count else { return }
        guard arrivedItems.insert(number) else {
            if counts(request) { duplicated += 1 }
            return
        }
        second.delivered += 1
        if let device = traffic.device(of: number) {
            // An item that was sent only after this one had been accepted must not arrive before it.
            if let answered = requests[request].answered, answered < latestStarts[device], counts(request) {
                reordered += 1
            }
            latestStarts[device] = max(latestStarts[device], requests[request].started)
        }
        let latency = UInt64(max(0, now - requests[request].intended))
        deliveredInSecond.record(latency)
        if counts(request) { delivered.record(latency) }
    }

    /// Notes that the gateway answered the acknowledgement of items.
    mutating func acknowledge(_ ids: [NotificationID], at now: Int) {
        for number in ids.lazy.compactMap(traffic.identifiers.number) where acknowledgedItems.insert(number) {
            let request = number / traffic.itemsPerRequest
            guard request < requests.count else { continue }
            if acceptedItems.contains(number) { backlog -= 1 }
            second.acknowledged += 1
            if counts(request) { acknowledged.record(UInt64(max(0, now - requests[request].intended))) }
        }
    }

    /// The seconds of the measured part up to the last request, if the load was ended early.
    var measuredSeconds: Double {
        let last = requests.last.map { $0.intended - measured.lowerBound } ?? 0
        return max(0.001, Double(last) / 1_000_000)
    }

    /// Whether everything that was accepted has been acknowledged.
    var isSettled: Bool {
        backlog <= 0
    }

    /// Returns what happened since the last call.
    mutating func takeSecond(_ number: Int) -> LoadSecond {
        var taken = second
        taken.second = number
        taken.backlog = max(0, backlog)
        if deliveredInSecond.totalCount > 0 {
            taken.p50 = Double(deliveredInSecond.valueAtPercentile(50)) / 1_000
            taken.p99 = Double(deliveredInSecond.valueAtPercentile(99)) / 1_000
            taken.max = Double(deliveredInSecond.max) / 1_000
        }
        deliveredInSecond.reset()
        second = LoadSecond(second: number + 1)
        return taken
    }

    /// The accepted items that have not arrived, and count.
    func lost() -> [NotificationID] {
        acceptedItems.subtracting(arrivedItems)
            .filter { counts($0 / traffic.itemsPerRequest) }
            .map(traffic.identifiers.identifier)
    }

    private func counts(_ request: Int) -> Bool {
        measured.contains(requests[request].intended)
    }

    private mutating func note(_ reason: String, _ count: Int, isMeasured: Bool) {
        second.errors += count
        if isMeasured { errors[reason, default: 0] += count }
    }
}
