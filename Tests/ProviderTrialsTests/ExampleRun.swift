import WaypostSchema

@testable import ProviderTrials

/// A run of a trial with a gateway and a provider that are made up; the provider is right.
struct ExampleRun {
    private struct Fault {
        var fault: SendFault
        var devices: Range<Int>?
        var isPast: Bool
    }

    private struct Connection {
        var index: Int
        var limit = 1
        var refusal: RejectionReason?
    }

    private struct Token {
        var number: Int
        var issuedAt: Timestamp
    }

    /// The time at which the run begins.
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    /// The number of seconds by which moving clocks are ahead when the provider starts.
    private static let clockAtStart = 600

    /// The wishes about the expiration, in turn.
    private static let wishes: [String?] = ["now", "hour", nil]

    private let trial: ProviderTrial
    private let sends: Bool
    private var now = Self.start
    private var gatewayClock = 0
    private var providerClock = 0
    private var faults: [Fault] = []
    private var streamLimit = 1_000
    private var connections: [Int: Connection] = [:]
    private var tokens: [Int: Token] = [:]
    private var gone: Set<Int> = []
    private var pending: [(message: TrialObservation.Message, index: Int)] = []
    private var hasStopped = false
    private var loads: [TrialLoad] = []
    private var result = TrialObservation(steps: [], messages: [], requests: [], connections: [], endedAt: Self.start)

    /// Returns the observation of a trial.
    ///
    /// - Parameters:
    ///   - trial: the trial.
    ///   - sends: whether the provider sends anything.
    /// - Returns: the observation.
    static func observation(of trial: ProviderTrial, sends: Bool = true) -> TrialObservation {
        var run = Self(trial, sends: sends)
        for step in trial.steps { run.perform(step) }
        run.result.endedAt = run.now.advanced(by: 2_000)
        return run.result
    }

    private init(_ trial: ProviderTrial, sends: Bool) {
        self.trial = trial
        self.sends = sends
        if trial.movesClock { (gatewayClock, providerClock) = (Self.clockAtStart, Self.clockAtStart) }
    }

    private mutating func perform(_ step: TrialStep) {
        result.steps.append(TrialObservation.Step(step: step, at: now, providerClock: providerClock))
        now = now.advanced(by: 10)
        switch step {
        case .load(let load):
            give(load)
            // The trial waits for messages that are not accepted.
            if !hasAcceptedLastLoad { now = now.advanced(by: 2_000) }
        case .begin(let load): give(load)
        case .settle(let seconds), .pause(let seconds): now = now.advanced(by: seconds * 1_000)
        case .awaitRequests: break
        case .inject(let fault, let devices, let since):
            faults.append(Fault(fault: fault, devices: devices, isPast: (since ?? 0) < 0))
        case .removeFaults:
            faults = []
            sendPending()
        case .affectConnections(let fault): affect(fault)
        case .advance(let seconds):
            gatewayClock += seconds
            providerClock += seconds
        case .skew(let seconds): providerClock += seconds
        case .restart: closeConnections()
        }
    }

    private var hasAcceptedLastLoad: Bool {
        let accepted = Set(result.requests.filter(\.isAcceptedInTrial).compactMap(\.trialMarker))
        return result.messages.allSatisfy { $0.load < loads.count - 1 || accepted.contains($0.marker) }
    }

    // MARK: The gateway

    private mutating func affect(_ fault: ConnectionFault) {
        for (key, connection) in connections {
            switch fault.kind {
            case .goAway: add(ProviderConnectionEvent(.goAway, at: now, reason: fault.reason), to: connection)
            case .silence: add(ProviderConnectionEvent(.silenced, at: now), to: connection)
            case .limitStreams:
                connections[key]?.limit = fault.streams ?? 1_000
                add(ProviderConnectionEvent(.streamLimit, at: now, streams: fault.streams), to: connection)
            case .respond: connections[key]?.refusal = fault.reason
            }
        }
        if fault.kind == .limitStreams { streamLimit = fault.streams ?? 1_000 }
        if fault.kind == .goAway || fault.kind == .silence { closeConnections() }
    }

    private mutating func add(_ event: ProviderConnectionEvent, to connection: Connection) {
        result.connections[connection.index].events.append(event)
    }

    private mutating func closeConnections() {
        for connection in connections.values { result.connections[connection.index].closedAt = now }
        connections = [:]
    }

    private mutating func takeFault(for device: Int) -> Fault? {
        guard let index = faults.firstIndex(where: { $0.devices?.contains(device) ?? true }) else { return nil }
        let fault = faults[index]
        guard let times = fault.fault.times else { return fault }
        faults[index].fault.times = times - 1
        if times == 1 { faults.remove(at: index) }
        return fault
    }

    // MARK: The provider

    private mutating func give(_ load: TrialLoad) {
        let messages = (0..<load.messages).map { index in
            let device = load.devices.lowerBound + index % load.devices.count
            return TrialObservation.Message(
                marker: "\(loads.count)-\(index)",
                load: loads.count,
                device: device,
                token: DeviceToken(rawValue: "c0ffee\(device + 10)"),
                expiration: load.kind == .expirations ? Self.wishes[index % 3] : nil
            )
        }
        loads.append(load)
        result.messages += messages
        guard sends else { return }
        for (index, message) in messages.enumerated() { send(message, index) }
        let isBroken = connections.values.contains { $0.refusal != nil }
        if isBroken, !pending.isEmpty {
            closeConnections()
            sendPending()
        }
    }

    private mutating func sendPending() {
        let messages = pending
        pending = []
        for (message, index) in messages { send(message, index) }
    }

    private mutating func send(_ message: TrialObservation.Message, _ index: Int) {
        let kind = loads[message.load].kind
        let isTooLarge = kind == .sizes && TrialPayloadSize.size(at: index).isTooLarge
        guard !gone.contains(message.device), !hasStopped, !isTooLarge else { return }
        let team = kind == .twoTeams ? index % 2 : 0
        let key = team * 10 + index % trial.processes
        let token = currentToken(of: team)
        var connection = connections[key] ?? open()
        var request = ProviderRequestRecord(number: result.requests.count + 1, at: now, token: message.token)
        request.connection = connection.index + 1
        request.providerToken = token.number
        request.streamLimit = connection.limit
        request.openStreams = min(connection.limit, 50)
        request.headers = headers(of: message, kind, index)
        request.body = "{\"aps\":{},\"marker\":\"\(message.marker)\"}"
        let isGone = answer(&request, with: token, on: connection, device: message.device)
        use(token, of: team, on: connection, request)
        if connection.limit == 1, request.status == 200 { connection.limit = streamLimit }
        connections[key] = connection
        result.requests.append(request)
        now = now.advanced(by: 10)
        react(to: request, message, index, isGone: isGone)
    }

    /// Answers a request; returns whether the answer says that the device token is gone for good.
    private mutating func answer(
        _ request: inout ProviderRequestRecord,
        with token: Token,
        on connection: Connection,
        device: Int
    ) -> Bool {
        request.answeredAt = now.advanced(by: 5)
        let age = Self.start.seconds + gatewayClock - token.issuedAt.seconds
        if abs(age) > 3_600 + 60 {
            request.status = 403
            request.reason = age < 0 ? .invalidProviderToken : .expiredProviderToken
            return false
        }
        if let reason = connection.refusal {
            (request.fault, request.status, request.reason) = (.respond, 500, reason)
            return false
        }
        let fault = takeFault(for: device)
        request.fault = fault?.fault.kind
        switch fault?.fault.kind {
        case .respond?:
            request.reason = fault?.fault.reason
            request.status = fault?.fault.status ?? Self.status(of: fault?.fault.reason)
            return request.status == 410 && fault?.isPast == false
        case .hang?, .reset?, .goAway?: request.answeredAt = nil
        case .delay?:
            let delay = fault?.fault.milliseconds ?? 0
            request.answeredAt = delay > 60_000 ? nil : now.advanced(by: delay)
            request.status = delay > 60_000 ? nil : 200
        case .throttle?, nil: request.status = 200
        }
        return false
    }

    private static func status(of reason: RejectionReason?) -> Int {
        switch reason {
        case RejectionReason.unregistered?: 410
        case RejectionReason.expiredProviderToken?, RejectionReason.invalidProviderToken?: 403
        case RejectionReason.tooManyRequests?, RejectionReason.tooManyProviderTokenUpdates?: 429
        case RejectionReason.serviceUnavailable?: 503
        case RejectionReason.internalServerError?: 500
        default: 400
        }
    }

    private mutating func react(
        to request: ProviderRequestRecord,
        _ message: TrialObservation.Message,
        _ index: Int,
        isGone: Bool
    ) {
        if isGone { gone.insert(message.device) }
        guard let status = request.status else { return }
        if status >= 500 { pending.append((message: message, index: index)) }
        if status == 403, request.fault == nil { hasStopped = true }
        if request.reason == .expiredProviderToken, request.fault != nil {
            tokens = [:]
            send(message, index)
        }
    }

    private func headers(
        of message: TrialObservation.Message,
        _ kind: TrialMessage.Kind,
        _ index: Int
    ) -> [String: String] {
        var headers = ["apns-push-type": "alert"]
        if kind == .liveActivity { headers["apns-push-type"] = "liveactivity" }
        if kind == .pushTypes, index % 2 == 1 { headers["apns-push-type"] = "background" }
        switch message.expiration {
        case "now": headers["apns-expiration"] = "0"
        case "hour": headers["apns-expiration"] = "\(now.seconds + 3_600)"
        default: break
        }
        return headers
    }

    private mutating func open() -> Connection {
        let number = result.connections.count + 1
        result.connections.append(ProviderConnectionRecord(number: number, openedAt: now, version: .http2))
        return Connection(index: number - 1)
    }

    private mutating func currentToken(of team: Int) -> Token {
        let time = now.advanced(by: providerClock * 1_000)
        if let token = tokens[team], time.seconds - token.issuedAt.seconds < 3_000 { return token }
        let last = result.connections.flatMap(\.tokens).map(\.number).max() ?? 0
        let token = Token(number: last + 1, issuedAt: time)
        tokens[team] = token
        return token
    }

    private mutating func use(
        _ token: Token,
        of team: Int,
        on connection: Connection,
        _ request: ProviderRequestRecord
    ) {
        var record = result.connections[connection.index]
        record.requests += 1
        record.highestStreams = max(record.highestStreams, request.openStreams ?? 1)
        if !record.tokens.contains(where: { $0.number == token.number }) {
            record.tokens.append(
                ProviderTokenUse(
                    number: token.number,
                    team: TeamID(rawValue: "TEAM\(team)"),
                    issuedAt: token.issuedAt,
                    firstUsedAt: now,
                    lastUsedAt: now
                )
            )
        }
        result.connections[connection.index] = record
    }
}
