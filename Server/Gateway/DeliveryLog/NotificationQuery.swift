internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import PushRules
internal import WaypostSchema

/// A query of the delivery log.
struct NotificationQuery: Sendable {
    /// The maximum number of notifications per page.
    static let maximumPageSize = 1_000

    /// A point in time, absolute or relative to the current time.
    enum StartTime: Sendable, Equatable {
        case absolute(Timestamp)
        case relative(millisecondsAgo: Int)

        /// Returns the point in time.
        func resolved(now: Timestamp) -> Timestamp {
            switch self {
            case .absolute(let time): time
            case .relative(let span): Timestamp(milliseconds: max(0, now.rawValue) - span)
            }
        }
    }

    /// The filter, without the time of `since`.
    let filter: LogFilter

    let since: StartTime?
    let afterSequence: Int?
    let limit: Int

    init(_ request: Request) throws(RequestError) {
        let query = request.uri.queryParameters
        filter = LogFilter(
            namespace: try request.namespace,
            token: query["token"].map { DeviceToken(hexadecimal: String($0)) ?? DeviceToken(rawValue: String($0)) },
            trace: try query["trace"].map(Self.trace),
            topic: query["topic"].map { Topic(rawValue: String($0)) },
            states: try Self.states(query[values: "state"])
        )
        since = try query["since"].map(Self.since)
        afterSequence = try Self.after(in: query)
        limit = try Self.limit(in: query)
    }

    /// Returns the maximum number of entries of a page; 100 if the query has none.
    static func limit(in query: Parameters) throws(RequestError) -> Int {
        try query["limit"].map { string throws(RequestError) in
            try Self.number(
                "limit",
                string,
                in: 1...Self.maximumPageSize,
                expected: "a whole number from 1 to \(Self.maximumPageSize)"
            )
        } ?? 100
    }

    /// Returns the number after which a page begins, if the query has one.
    static func after(in query: Parameters) throws(RequestError) -> Int? {
        try query["after"].map { string throws(RequestError) in
            try number("after", string, in: 0...Int.max, expected: "a whole number, as in the 'next' of a page")
        }
    }

    private static func states(_ values: [Substring]) throws(RequestError) -> Set<DeliveryState>? {
        guard !values.isEmpty else { return nil }
        var states: Set<DeliveryState> = []
        for name in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let state = DeliveryState(rawValue: String(name)) else {
                let names = DeliveryState.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter(name: "state", "'\(name)' is not a state; the states are \(names)")
            }
            states.insert(state)
        }
        return states
    }

    private static func trace(_ string: Substring) throws(RequestError) -> TraceID {
        guard let trace = TraceID(parsing: String(string)) else {
            throw .badParameter(
                name: "trace",
                "'\(string)' is neither a trace identifier of 32 hexadecimal digits nor a traceparent"
            )
        }
        return trace
    }

    private static func since(_ string: Substring) throws(RequestError) -> StartTime {
        if string.count <= 18, string.allSatisfy({ $0.isASCII && $0.isNumber }), let moment = Int(string) {
            return .absolute(Timestamp(milliseconds: moment))
        }
        guard let span = TimeSpan.milliseconds(string, units: [.millisecond, .second, .minute, .hour, .day]) else {
            throw .badParameter(
                name: "since",
                "'\(string)' is neither milliseconds since 1970 nor a time before now such as 90s, 10m, 2h or 1d"
            )
        }
        return .relative(millisecondsAgo: span)
    }

    private static func number(
        _ name: String,
        _ string: Substring,
        in range: ClosedRange<Int>,
        expected: String
    ) throws(RequestError) -> Int {
        guard string.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(string), range.contains(number) else {
            throw .badParameter(name: name, "'\(string)' is not \(expected)")
        }
        return number
    }
}

/// A filter for the notifications of a namespace's log.
struct LogFilter: Sendable {
    let namespace: Namespace
    var token: DeviceToken?
    var trace: TraceID?
    var topic: Topic?
    var states: Set<DeliveryState>?
    var since: Timestamp?

    /// Returns a store query whose result includes every notification that matches.
    func storeQuery(from start: LogQuery.Start, limit: Int) -> LogQuery {
        LogQuery(
            token: token,
            trace: trace,
            topic: topic,
            states: storedStates,
            since: since,
            start: start,
            limit: limit
        )
    }

    /// The states to ask the store for: the store does not know `sent`, only `stored` and `accepted`.
    private var storedStates: Set<DeliveryState>? {
        guard var states, states.remove(.sent) != nil else { return states }
        return states.union([.stored, .accepted])
    }

    /// Whether a notification that the store returned matches, given its state.
    func includes(_ state: DeliveryState) -> Bool {
        states?.contains(state) ?? true
    }

    /// Whether a notification matches.
    func includes(_ record: NotificationRecord) -> Bool {
        (token == nil || record.token == token) && (topic == nil || record.topic == topic) && includes(record.state)
            && (trace == nil || record.traceparent?.traceID == trace)
            && (since.map { since in record.history.first.map { $0.at >= since } ?? false } ?? true)
    }
}
