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

    /// An accepted item that has not arrived on a device.
    struct Missing: Hashable, Sendable {
        var id: NotificationID
        var device: DeviceToken
    }

    private let traffic: LoadTraffic
    private let devices: [DeviceToken]
    private let deviceNumbers: [DeviceToken: Int]

    /// The intended starts that count.
    private let measured: Range<Int>

    /// A request that starts later than intended by more than this is a late one.
    private static let tolerance = 1_000

    private var requests: [Request] = []

    /// The time of the last answer to a request that counts.
    private var lastAnswer = 0
    private var acceptedItems = BitSet()
    private var arrivedItems = BitSet()
    private var acknowledgedItems = BitSet()

    /// The devices on which each item of the channel has arrived, and those that have acknowledged it.
    private var arrivedOfChannel: [Int: BitSet] = [:]
    private var acknowledgedOfChannel: [Int: BitSet] = [:]

    /// The latest start of a request whose item has arrived, by device.
    private var latestStarts: [Int]

    private(set) var accepted = Histogram<UInt64>.microseconds
    private(set) var delivered = Histogram<UInt64>.microseconds
    private(set) var acknowledged = Histogram<UInt64>.microseconds

    /// The latency to the arrival on the device since the last call of `takeSecond`.
    private var deliveredInSecond = Histogram<UInt64>.microseconds

    private(set) var offered = 0
    private(set) var achieved = 0
    private(set) var measuredRequests = 0
    private(set) var lateStarts = 0
    private(set) var duplicated = 0
    private(set) var reordered = 0
    private(set) var errors: [String: Int] = [:]

    /// The counts of the second that goes on, and of the whole load, with the warm-up.
    private var second = LoadSecond(second: 0)
    private var backlog = 0

    init(_ traffic: LoadTraffic, devices: [DeviceToken], measured: Range<Int>) {
        self.traffic = traffic
        self.devices = devices
        self.measured = measured
        deviceNumbers = Dictionary(devices.enumerated().map { ($1, $0) }) { first, _ in first }
        latestStarts = Array(repeating: -1, count: devices.count)
    }

    /// Returns the number of the next request, which the schedule intends for a time.
    mutating func offer(at intended: Int) -> Int {
        requests.append(Request(intended: intended))
        second.offered += traffic.itemsPerRequest
        if measured.contains(intended) {
            offered += traffic.itemsPerRequest
            measuredRequests += 1
        }
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
                backlog += expectedAcknowledgements(of: first + place)
            }
        }
        second.accepted += count
        guard isMeasured else { return }
        achieved += count
        lastAnswer = max(lastAnswer, now)
        if count > 0 {
            accepted.record(Self.latency(from: requests[request].intended, to: now), count: UInt64(count))
        }
    }

    /// Returns the number of acknowledgements of an item that are still missing.
    ///
    /// An item may have arrived, and even be acknowledged, before its request is answered.
    private func expectedAcknowledgements(of number: Int) -> Int {
        guard isOfChannel(number) else { return acknowledgedItems.contains(number) ? 0 : 1 }
        return devices.count - (acknowledgedOfChannel[number]?.count ?? 0)
    }

    /// Notes that a request failed: none of its items was accepted, as far as is known.
    mutating func fail(_ request: Int, reason: String) {
        note(reason, traffic.itemsPerRequest, isMeasured: counts(request))
    }

    /// Notes that an item arrived on a device.
    mutating func arrive(_ id: NotificationID, on device: DeviceToken, at now: Int) {
        guard let number = number(of: id), let device = deviceNumbers[device] else { return }
        let destination = traffic.destination(of: number)
        // An item on another device than its own has not arrived.
        guard destination == .channel || destination == .device(device) else { return }
        let request = number / traffic.itemsPerRequest
        let isNew =
            destination == .channel
            ? arrivedOfChannel[number, default: BitSet()].insert(device) : arrivedItems.insert(number)
        guard isNew else {
            if counts(request) { duplicated += 1 }
            return
        }
        second.delivered += 1
        // An item that was sent only after this one had been accepted must not arrive before it.
        if let answered = requests[request].answered, answered < latestStarts[device], counts(request) {
            reordered += 1
        }
        latestStarts[device] = max(latestStarts[device], requests[request].started)
        let latency = Self.latency(from: requests[request].intended, to: now)
        deliveredInSecond.record(latency)
        if counts(request) { delivered.record(latency) }
    }

    /// Notes that the gateway answered the acknowledgement of an item by a device.
    mutating func acknowledge(_ id: NotificationID, on device: DeviceToken, at now: Int) {
        guard let number = number(of: id), let device = deviceNumbers[device] else { return }
        let isNew =
            isOfChannel(number)
            ? acknowledgedOfChannel[number, default: BitSet()].insert(device) : acknowledgedItems.insert(number)
        guard isNew else { return }
        if acceptedItems.contains(number) { backlog -= 1 }
        second.acknowledged += 1
        let request = number / traffic.itemsPerRequest
        if counts(request) { acknowledged.record(Self.latency(from: requests[request].intended, to: now)) }
    }

    /// Returns the number of an item, or `nil` for a notification from elsewhere.
    private func number(of id: NotificationID) -> Int? {
        guard let number = traffic.identifiers.number(of: id), number / traffic.itemsPerRequest < requests.count
        else { return nil }
        return number
    }

    private func isOfChannel(_ number: Int) -> Bool {
        traffic.settings.broadcast > 0 && traffic.destination(of: number) == .channel
    }

    /// Returns a latency in microseconds that a histogram can record.
    private static func latency(from start: Int, to end: Int) -> UInt64 {
        UInt64(min(max(0, end - start), maximumLatency))
    }

    /// An hour, the largest value of the histograms.
    private static let maximumLatency = 3_600_000_000

    /// The seconds of the measured part up to the last request, if the load was ended early.
    var measuredSeconds: Double {
        let last = requests.last.map { $0.intended - measured.lowerBound } ?? 0
        return max(0.001, Double(last) / 1_000_000)
    }

    /// The seconds from the start of the measured part to the last answer.
    var secondsToLastAnswer: Double {
        Double(lastAnswer - measured.lowerBound) / 1_000_000
    }

    /// Whether everything that was accepted has been acknowledged.
    var isSettled: Bool {
        backlog <= 0
    }

    /// Returns whether everything that was accepted has been acknowledged or has ended otherwise.
    func isSettled(besides ended: some Sequence<Missing>) -> Bool {
        let open = ended.count { missing in
            guard let number = number(of: missing.id), acceptedItems.contains(number) else { return false }
            guard isOfChannel(number) else { return !acknowledgedItems.contains(number) }
            return deviceNumbers[missing.device].map { acknowledgedOfChannel[number]?.contains($0) != true } ?? false
        }
        return backlog <= open
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

    /// Returns the accepted items that have not arrived and count, each with its device.
    func missing() -> [Missing] {
        var missing: [Missing] = []
        for number in acceptedItems.subtracting(arrivedItems) where counts(number / traffic.itemsPerRequest) {
            let id = traffic.identifiers.identifier(number)
            switch traffic.destination(of: number) {
            case .device(let device): missing.append(Missing(id: id, device: devices[device]))
            case .badToken: break
            case .channel:
                let arrived = arrivedOfChannel[number]
                for (index, device) in devices.enumerated() where arrived?.contains(index) != true {
                    missing.append(Missing(id: id, device: device))
                }
            }
        }
        return missing
    }

    private func counts(_ request: Int) -> Bool {
        measured.contains(requests[request].intended)
    }

    private mutating func note(_ reason: String, _ count: Int, isMeasured: Bool) {
        second.errors += count
        second.reasons[reason, default: 0] += count
        if isMeasured { errors[reason, default: 0] += count }
    }
}
