internal import Fleets
internal import Histogram
internal import WaypostSchema

/// A recorder of a load test, as a value: the times of the requests, and the items that arrived.
///
/// All times are microseconds since the start of the load. Only items that the schedule intends for the measured part
/// count. A request's items have its intended start.
struct LoadRecorder: Sendable {
    private struct Request {
        var intendedStart: Int
        var actualStart = 0

        /// The time of the response, or `nil` before it.
        var responseTime: Int?
    }

    /// An accepted item that has not arrived on a device.
    struct MissingItem: Hashable, Sendable {
        var id: NotificationID
        var device: DeviceToken
    }

    private let traffic: LoadTraffic
    private let devices: [DeviceToken]
    private let deviceNumbers: [DeviceToken: Int]

    /// The intended starts that count.
    private let measured: Range<Int>

    /// The maximum delay of a start that is not late, in microseconds.
    private static let startTolerance = 1_000

    private var requests: [Request] = []

    /// The time of the last response to a measured request.
    private var lastResponse = 0
    private var acceptedItems = BitSet()
    private var arrivedItems = BitSet()
    private var acknowledgedItems = BitSet()

    /// The devices on which each item of the channel has arrived.
    private var channelArrivals: [Int: BitSet] = [:]

    /// The devices that have acknowledged each item of the channel.
    private var channelAcknowledgements: [Int: BitSet] = [:]

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

    /// The counts of the current second, with the warm-up.
    private var second = LoadSecond(second: 0)

    /// The number of accepted items that are not acknowledged, with the warm-up.
    private var backlog = 0

    init(_ traffic: LoadTraffic, devices: [DeviceToken], measured: Range<Int>) {
        self.traffic = traffic
        self.devices = devices
        self.measured = measured
        deviceNumbers = Dictionary(devices.enumerated().map { ($1, $0) }) { first, _ in first }
        latestStarts = Array(repeating: -1, count: devices.count)
    }

    /// Returns the number of the next request, which the schedule intends for a time.
    mutating func addRequest(intendedAt intendedStart: Int) -> Int {
        requests.append(Request(intendedStart: intendedStart))
        second.offered += traffic.itemsPerRequest
        if measured.contains(intendedStart) {
            offered += traffic.itemsPerRequest
            measuredRequests += 1
        }
        return requests.count - 1
    }

    /// Records the start of a request.
    mutating func recordStart(of request: Int, at now: Int) {
        requests[request].actualStart = now
        if isMeasured(request), now - requests[request].intendedStart > Self.startTolerance { lateStarts += 1 }
    }

    /// Records the response to a request.
    ///
    /// - Parameters:
    ///   - request: the number of the request.
    ///   - refusals: the reasons of the refused items, by their positions in the request from 0.
    ///   - now: the time.
    mutating func recordResponse(to request: Int, refusals: [Int: String], at now: Int) {
        let isMeasured = isMeasured(request)
        requests[request].responseTime = now
        let first = request * traffic.itemsPerRequest
        var count = 0
        for position in 0..<traffic.itemsPerRequest {
            if let reason = refusals[position] {
                recordErrors(reason, count: 1, isMeasured: isMeasured)
            } else {
                count += 1
                _ = acceptedItems.insert(first + position)
                backlog += expectedAcknowledgements(of: first + position)
            }
        }
        second.accepted += count
        guard isMeasured else { return }
        achieved += count
        lastResponse = max(lastResponse, now)
        if count > 0 {
            accepted.record(Self.latency(from: requests[request].intendedStart, to: now), count: UInt64(count))
        }
    }

    /// Returns the number of acknowledgements of an item that are still missing.
    ///
    /// An item may have arrived, and even be acknowledged, before the response to its request.
    private func expectedAcknowledgements(of number: Int) -> Int {
        guard isOfChannel(number) else { return acknowledgedItems.contains(number) ? 0 : 1 }
        return devices.count - (channelAcknowledgements[number]?.count ?? 0)
    }

    /// Records that a request failed, so that none of its items counts as accepted.
    mutating func recordFailure(of request: Int, reason: String) {
        recordErrors(reason, count: traffic.itemsPerRequest, isMeasured: isMeasured(request))
    }

    /// Records that an item arrived on a device.
    mutating func recordArrival(of id: NotificationID, on device: DeviceToken, at now: Int) {
        guard let number = number(of: id), let device = deviceNumbers[device] else { return }
        let destination = traffic.destination(of: number)
        // An item on another device than its own has not arrived.
        guard destination == .channel || destination == .device(device) else { return }
        let request = number / traffic.itemsPerRequest
        let isNew =
            destination == .channel
            ? channelArrivals[number, default: BitSet()].insert(device) : arrivedItems.insert(number)
        guard isNew else {
            if isMeasured(request) { duplicated += 1 }
            return
        }
        second.delivered += 1
        // An item that was sent only after this one had been accepted must not arrive before it.
        if let responseTime = requests[request].responseTime, responseTime < latestStarts[device], isMeasured(request) {
            reordered += 1
        }
        latestStarts[device] = max(latestStarts[device], requests[request].actualStart)
        let latency = Self.latency(from: requests[request].intendedStart, to: now)
        deliveredInSecond.record(latency)
        if isMeasured(request) { delivered.record(latency) }
    }

    /// Records that the gateway responded to the acknowledgement of an item by a device.
    mutating func recordAcknowledgement(of id: NotificationID, on device: DeviceToken, at now: Int) {
        guard let number = number(of: id), let device = deviceNumbers[device] else { return }
        let isNew =
            isOfChannel(number)
            ? channelAcknowledgements[number, default: BitSet()].insert(device) : acknowledgedItems.insert(number)
        guard isNew else { return }
        if acceptedItems.contains(number) { backlog -= 1 }
        second.acknowledged += 1
        let request = number / traffic.itemsPerRequest
        if isMeasured(request) { acknowledged.record(Self.latency(from: requests[request].intendedStart, to: now)) }
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
        let last = requests.last.map { $0.intendedStart - measured.lowerBound } ?? 0
        return max(0.001, Double(last) / 1_000_000)
    }

    /// The seconds from the start of the measured part to the last response.
    var secondsToLastResponse: Double {
        Double(lastResponse - measured.lowerBound) / 1_000_000
    }

    /// Whether everything that was accepted has been acknowledged.
    var isSettled: Bool {
        backlog <= 0
    }

    /// Returns whether all accepted items have been acknowledged, except for those that ended otherwise.
    func isSettled(ignoring endedItems: some Sequence<MissingItem>) -> Bool {
        let ignoredCount = endedItems.count { missing in
            guard let number = number(of: missing.id), acceptedItems.contains(number) else { return false }
            guard isOfChannel(number) else { return !acknowledgedItems.contains(number) }
            return deviceNumbers[missing.device].map { channelAcknowledgements[number]?.contains($0) != true } ?? false
        }
        return backlog <= ignoredCount
    }

    /// Returns what happened since the last call.
    mutating func takeSecond(_ number: Int) -> LoadSecond {
        var completed = second
        completed.second = number
        completed.backlog = max(0, backlog)
        if deliveredInSecond.totalCount > 0 {
            completed.p50 = Double(deliveredInSecond.valueAtPercentile(50)) / 1_000
            completed.p99 = Double(deliveredInSecond.valueAtPercentile(99)) / 1_000
            completed.max = Double(deliveredInSecond.max) / 1_000
        }
        deliveredInSecond.reset()
        second = LoadSecond(second: number + 1)
        return completed
    }

    /// Returns the accepted items of the measured part that have not arrived, each with its device.
    func missingItems() -> [MissingItem] {
        var items: [MissingItem] = []
        for number in acceptedItems.subtracting(arrivedItems) where isMeasured(number / traffic.itemsPerRequest) {
            let id = traffic.identifiers.identifier(number)
            switch traffic.destination(of: number) {
            case .device(let device): items.append(MissingItem(id: id, device: devices[device]))
            case .badToken: break
            case .channel:
                let arrivals = channelArrivals[number]
                for (index, device) in devices.enumerated() where arrivals?.contains(index) != true {
                    items.append(MissingItem(id: id, device: device))
                }
            }
        }
        return items
    }

    private func isMeasured(_ request: Int) -> Bool {
        measured.contains(requests[request].intendedStart)
    }

    private mutating func recordErrors(_ reason: String, count: Int, isMeasured: Bool) {
        second.errors += count
        second.reasons[reason, default: 0] += count
        if isMeasured { errors[reason, default: 0] += count }
    }
}
