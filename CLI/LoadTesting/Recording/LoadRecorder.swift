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
    private let deviceIndices: [DeviceToken: Int]

    /// The times of the measured part: only requests with an intended start in it count.
    private let measuredTimes: Range<Int>

    /// The maximum delay of a start that is not late, in microseconds.
    private static let startTolerance = 1_000

    private var requests: [Request] = []

    /// The time of the last response to a measured request.
    private var lastResponseTime = 0
    private var acceptedItems = BitSet()
    private var arrivedItems = BitSet()
    private var acknowledgedItems = BitSet()

    /// The devices on which each item of the channel has arrived.
    private var channelArrivals: [Int: BitSet] = [:]

    /// The devices that have acknowledged each item of the channel.
    private var channelAcknowledgements: [Int: BitSet] = [:]

    /// The latest start of a request whose item has arrived, by device.
    private var latestStarts: [Int]

    private(set) var acceptanceLatency = Histogram<UInt64>.microseconds
    private(set) var deliveryLatency = Histogram<UInt64>.microseconds
    private(set) var acknowledgementLatency = Histogram<UInt64>.microseconds

    /// The latency to the arrival on the device since the last call of `finishSecond`.
    private var currentDeliveryLatency = Histogram<UInt64>.microseconds

    private(set) var offeredCount = 0
    private(set) var acceptedCount = 0
    private(set) var requestCount = 0
    private(set) var lateStartCount = 0
    private(set) var duplicateCount = 0
    private(set) var reorderedCount = 0
    private(set) var errorCounts: [String: Int] = [:]

    /// The counts of the current second, with the warm-up.
    private var currentSecond = LoadSecond(second: 0)

    /// The number of accepted items that are not acknowledged, with the warm-up.
    private var backlog = 0

    init(_ traffic: LoadTraffic, devices: [DeviceToken], measuredTimes: Range<Int>) {
        self.traffic = traffic
        self.devices = devices
        self.measuredTimes = measuredTimes
        deviceIndices = Dictionary(devices.enumerated().map { ($1, $0) }) { first, _ in first }
        latestStarts = Array(repeating: -1, count: devices.count)
    }

    /// Returns the number of the next request, which the schedule intends for a time.
    mutating func addRequest(intendedAt intendedStart: Int) -> Int {
        requests.append(Request(intendedStart: intendedStart))
        currentSecond.offered += traffic.itemsPerRequest
        if measuredTimes.contains(intendedStart) {
            offeredCount += traffic.itemsPerRequest
            requestCount += 1
        }
        return requests.count - 1
    }

    /// Records the start of a request.
    mutating func recordStart(of request: Int, at now: Int) {
        requests[request].actualStart = now
        if isMeasured(request), now - requests[request].intendedStart > Self.startTolerance { lateStartCount += 1 }
    }

    /// Records the response to a request.
    ///
    /// - Parameters:
    ///   - request: the number of the request.
    ///   - refusals: the reasons of the refused items, by their indices in the request.
    ///   - now: the time.
    mutating func recordResponse(to request: Int, refusals: [Int: String], at now: Int) {
        let isMeasured = isMeasured(request)
        requests[request].responseTime = now
        let firstItem = request * traffic.itemsPerRequest
        var newItemCount = 0
        for index in 0..<traffic.itemsPerRequest {
            if let reason = refusals[index] {
                recordErrors(reason, count: 1, isMeasured: isMeasured)
            } else {
                newItemCount += 1
                _ = acceptedItems.insert(firstItem + index)
                backlog += expectedAcknowledgements(of: firstItem + index)
            }
        }
        currentSecond.accepted += newItemCount
        guard isMeasured else { return }
        acceptedCount += newItemCount
        lastResponseTime = max(lastResponseTime, now)
        if newItemCount > 0 {
            let latency = Self.latency(from: requests[request].intendedStart, to: now)
            acceptanceLatency.record(latency, count: UInt64(newItemCount))
        }
    }

    /// Returns the number of acknowledgements of an item that are still missing.
    ///
    /// An item may have arrived, and even be acknowledged, before the response to its request.
    private func expectedAcknowledgements(of number: Int) -> Int {
        guard isBroadcast(number) else { return acknowledgedItems.contains(number) ? 0 : 1 }
        return devices.count - (channelAcknowledgements[number]?.count ?? 0)
    }

    /// Records that a request failed, so that none of its items counts as accepted.
    mutating func recordFailure(of request: Int, reason: String) {
        recordErrors(reason, count: traffic.itemsPerRequest, isMeasured: isMeasured(request))
    }

    /// Records that an item arrived on a device.
    mutating func recordArrival(of id: NotificationID, on device: DeviceToken, at now: Int) {
        guard let number = itemNumber(of: id), let device = deviceIndices[device] else { return }
        let destination = traffic.destination(of: number)
        // An item on another device than its own has not arrived.
        guard destination == .channel || destination == .device(device) else { return }
        let request = number / traffic.itemsPerRequest
        let isNew =
            destination == .channel
            ? channelArrivals[number, default: BitSet()].insert(device) : arrivedItems.insert(number)
        guard isNew else {
            if isMeasured(request) { duplicateCount += 1 }
            return
        }
        currentSecond.delivered += 1
        // An item that was sent only after this one had been accepted must not arrive before it.
        if let responseTime = requests[request].responseTime, responseTime < latestStarts[device], isMeasured(request) {
            reorderedCount += 1
        }
        latestStarts[device] = max(latestStarts[device], requests[request].actualStart)
        let latency = Self.latency(from: requests[request].intendedStart, to: now)
        currentDeliveryLatency.record(latency)
        if isMeasured(request) { deliveryLatency.record(latency) }
    }

    /// Records that the gateway responded to the acknowledgement of an item by a device.
    mutating func recordAcknowledgement(of id: NotificationID, on device: DeviceToken, at now: Int) {
        guard let number = itemNumber(of: id), let device = deviceIndices[device] else { return }
        let isNew =
            isBroadcast(number)
            ? channelAcknowledgements[number, default: BitSet()].insert(device) : acknowledgedItems.insert(number)
        guard isNew else { return }
        if acceptedItems.contains(number) { backlog -= 1 }
        currentSecond.acknowledged += 1
        let request = number / traffic.itemsPerRequest
        guard isMeasured(request) else { return }
        acknowledgementLatency.record(Self.latency(from: requests[request].intendedStart, to: now))
    }

    /// Returns the number of an item, or `nil` for a notification from elsewhere.
    private func itemNumber(of id: NotificationID) -> Int? {
        guard let number = traffic.identifiers.number(of: id), number / traffic.itemsPerRequest < requests.count
        else { return nil }
        return number
    }

    private func isBroadcast(_ number: Int) -> Bool {
        traffic.settings.broadcastShare > 0 && traffic.destination(of: number) == .channel
    }

    /// Returns a latency in microseconds that a histogram can record.
    private static func latency(from start: Int, to end: Int) -> UInt64 {
        UInt64(min(max(0, end - start), maximumLatency))
    }

    /// An hour, the largest value of the histograms.
    private static let maximumLatency = 3_600_000_000

    /// The seconds of the measured part up to the last request, if the load was ended early.
    var measuredSeconds: Double {
        let last = requests.last.map { $0.intendedStart - measuredTimes.lowerBound } ?? 0
        return max(0.001, Double(last) / 1_000_000)
    }

    /// The seconds from the start of the measured part to the last response.
    var secondsToLastResponse: Double {
        Double(lastResponseTime - measuredTimes.lowerBound) / 1_000_000
    }

    /// Whether everything that was accepted has been acknowledged.
    var isSettled: Bool {
        backlog <= 0
    }

    /// Returns whether all accepted items have been acknowledged, except for those that ended otherwise.
    func isSettled(ignoring endedItems: some Sequence<MissingItem>) -> Bool {
        let ignoredCount = endedItems.count { item in
            guard let number = itemNumber(of: item.id), acceptedItems.contains(number) else { return false }
            guard isBroadcast(number) else { return !acknowledgedItems.contains(number) }
            return deviceIndices[item.device].map { channelAcknowledgements[number]?.contains($0) != true } ?? false
        }
        return backlog <= ignoredCount
    }

    /// Ends the current second, which gets a number, and returns its counts.
    mutating func finishSecond(_ number: Int) -> LoadSecond {
        var finishedSecond = currentSecond
        finishedSecond.second = number
        finishedSecond.backlog = max(0, backlog)
        if currentDeliveryLatency.totalCount > 0 {
            finishedSecond.p50 = Double(currentDeliveryLatency.valueAtPercentile(50)) / 1_000
            finishedSecond.p99 = Double(currentDeliveryLatency.valueAtPercentile(99)) / 1_000
            finishedSecond.max = Double(currentDeliveryLatency.max) / 1_000
        }
        currentDeliveryLatency.reset()
        currentSecond = LoadSecond(second: number + 1)
        return finishedSecond
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
        measuredTimes.contains(requests[request].intendedStart)
    }

    private mutating func recordErrors(_ reason: String, count: Int, isMeasured: Bool) {
        currentSecond.errors += count
        currentSecond.reasons[reason, default: 0] += count
        if isMeasured { errorCounts[reason, default: 0] += count }
    }
}
