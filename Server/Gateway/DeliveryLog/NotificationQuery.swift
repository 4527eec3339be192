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
    enum Since: Sendable, Equatable {
        case moment(Timestamp)
        case before(milliseconds: Int)

        /// Returns the point in time.
        func moment(_ now: Timestamp) -> Timestamp {
            switch self {
            case .moment(let moment): moment
            case .before(let span): Timestamp(milliseconds: max(0, now.rawValue) - span)
            }
        }
    }

    /// The selection, without the time of `since`.
    let selection: LogSelection

    let since: Since?
    let after: Int?
    let limit: Int

    init(_ request: Request) throws(RequestError) {
        let query = request.uri.queryParameters
        selection = LogSelection(
            namespace: try request.namespace,
            token: query["token"].map { DeviceToken(hexadecimal: String($0)) ?? DeviceToken(rawValue: String($0)) },
            trace: try query["trace"].map(Self.trace),
            topic: query["topic"].map { Topic(rawValue: String($0)) },
            states: try Self.states(query[values: "state"])
        )
        since = try query["since"].map(Self.since)
        after = try Self.after(in: query)
        limit = try Self.limit(in: query)
    }

    /// Returns the maximum number of entries of a page; 100 if it is not given.
    static func limit(in query: Parameters) throws(RequestError) -> Int {
        try query["limit"].map { text throws(RequestError) in
            try Self.number(
                "limit",
                text,
                in: 1...Self.maximumPageSize,
                accepted: "a whole number from 1 to \(Self.maximumPageSize)"
            )
        } ?? 100
    }

    /// Returns the place after which a page begins, if it is given.
    static func after(in query: Parameters) throws(RequestError) -> Int? {
        try query["after"].map { text throws(RequestError) in
            try number("after", text, in: 0...Int.max, accepted: "a whole number, as in the 'next' of a page")
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

    private static func trace(_ text: Substring) throws(RequestError) -> TraceID {
        guard let trace = TraceID(searching: String(text)) else {
            throw .badParameter(
                name: "trace",
                "'\(text)' is neither a trace identifier of 32 hexadecimal digits nor a traceparent"
            )
        }
        return trace
    }

    private static func since(_ text: Substring) throws(RequestError) -> Since {
        if text.count <= 18, text.allSatisfy({ $0.isASCII && $0.isNumber }), let moment = Int(text) {
            return .moment(Timestamp(milliseconds: moment))
        }
        guard let span = TimeSpan.milliseconds(text, units: [.millisecond, .second, .minute, .hour, .day]) else {
            throw .badParameter(
                name: "since",
                "'\(text)' is neither milliseconds since 1970 nor a time before now such as 90s, 10m, 2h or 1d"
            )
        }
        return .before(milliseconds: span)
    }

    private static func number(
        _ name: String,
        _ text: Substring,
        in range: ClosedRange<Int>,
        accepted: String
    ) throws(RequestError) -> Int {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text), range.contains(number) else {
            throw .badParameter(name: name, "'\(text)' is not \(accepted)")
        }
        return number
    }
}

/// A selection of notifications from a namespace's log.
struct LogSelection: Sendable {
    let namespace: Namespace
    var token: DeviceToken?
    var trace: TraceID?
    var topic: Topic?
    var states: Set<DeliveryState>?
    var since: Timestamp?

    /// Returns a store query that includes everything in the selection.
    func query(_ start: LogQuery.Start, limit: Int) -> LogQuery {
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

    /// The states of the selection as stored: the store does not know `sent`, only `stored` and `accepted`.
    private var storedStates: Set<DeliveryState>? {
        guard var states, states.remove(.sent) != nil else { return states }
        return states.union([.stored, .accepted])
    }

    /// Whether a notification that the store returned belongs to the selection, given its state.
    func includes(_ state: DeliveryState) -> Bool {
        states?.contains(state) ?? true
    }

    /// Whether a notification belongs to the selection.
    func includes(_ record: NotificationRecord) -> Bool {
        (token == nil || record.token == token) && (topic == nil || record.topic == topic) && includes(record.state)
            && (trace == nil || record.traceparent?.traceID == trace)
            && (since.map { since in record.history.first.map { $0.at >= since } ?? false } ?? true)
    }
}
