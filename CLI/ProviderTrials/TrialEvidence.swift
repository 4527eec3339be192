internal import WaypostSchema

/// The requests of a trial with the messages that they carry, for its judge.
struct TrialEvidence {
    /// A request that carries a message of the trial.
    struct Attempt {
        /// The request.
        let request: ProviderRequestRecord

        /// The message.
        let message: TrialObservation.Message

        /// Whether the gateway accepted the message.
        var isAccepted: Bool { request.isAcceptedInTrial }
    }

    /// A load of the trial, and the time at which it began.
    struct Load {
        /// The load.
        let value: TrialLoad

        /// The time at which it began, by the system's clock.
        let at: Timestamp
    }

    /// The observation.
    let observation: TrialObservation

    /// The loads, in order.
    let loads: [Load]

    /// The requests with a message, in the order in which the gateway decided about them.
    let attempts: [Attempt]

    /// The same requests by the marker of their message.
    private let attemptsByMarker: [String: [Attempt]]

    /// Finds the message of each request.
    init(_ observation: TrialObservation) {
        self.observation = observation
        loads = observation.steps.compactMap { step -> Load? in
            switch step.step {
            case .load(let load), .begin(let load): Load(value: load, at: step.at)
            default: nil
            }
        }
        let messages = Dictionary(observation.messages.map { ($0.marker, $0) }, uniquingKeysWith: { first, _ in first })
        attempts = observation.requests.compactMap { request -> Attempt? in
            guard let marker = request.trialMarker, let message = messages[marker] else { return nil }
            return Attempt(request: request, message: message)
        }
        attemptsByMarker = Dictionary(grouping: attempts, by: \.message.marker)
    }
}

// MARK: Messages

extension TrialEvidence {
    /// Returns the messages of a load, in order.
    func messages(inLoad load: Int) -> [TrialObservation.Message] {
        observation.messages.filter { $0.load == load }
    }

    /// Returns the requests with messages of a load.
    func attempts(inLoad load: Int) -> [Attempt] {
        attempts.filter { $0.message.load == load }
    }

    /// Returns the requests with a message.
    func attempts(of message: TrialObservation.Message) -> [Attempt] {
        attemptsByMarker[message.marker] ?? []
    }

    /// Returns whether the gateway accepted a message.
    func isAccepted(_ message: TrialObservation.Message) -> Bool {
        attempts(of: message).contains(where: \.isAccepted)
    }

    /// Returns the requests that got an injected answer with a reason.
    func attempts(injected reason: RejectionReason) -> [Attempt] {
        attempts.filter { $0.request.fault == .respond && $0.request.reason == reason }
    }

    /// The requests that got an injected answer without a body.
    var attemptsWithoutBody: [Attempt] {
        attempts.filter { $0.request.fault == .respond && $0.request.status != nil && $0.request.reason == nil }
    }

    /// Returns the time at which the first step with a property began; `nil` if no step has it.
    func timeOfStep(where condition: (TrialStep) -> Bool) -> Timestamp? {
        observation.steps.first { condition($0.step) }?.at
    }

    /// The times at which faults happened on the connections, in order.
    var connectionFaultTimes: [Timestamp] {
        observation.steps.compactMap { step -> Timestamp? in
            if case .affectConnections = step.step { step.at } else { nil }
        }
    }
}

// MARK: Verdicts that several trials share

extension TrialEvidence {
    /// The figures of every trial.
    private var figures: [String: Double] {
        [
            "connections": Double(observation.connections.count),
            "messages": Double(observation.messages.count),
            "requests": Double(attempts.count),
        ]
    }

    /// Returns the verdict that the provider kept the rule.
    func passed(_ summary: String, _ figures: [String: Double] = [:]) -> TrialVerdict {
        .passed(summary, figures: self.figures.merging(figures) { $1 })
    }

    /// Returns the verdict that the provider broke the rule.
    func failed(
        _ summary: String,
        _ figures: [String: Double] = [:],
        request: ProviderRequestRecord? = nil
    ) -> TrialVerdict {
        .failed(summary, figures: self.figures.merging(figures) { $1 }, request: request)
    }

    /// Returns the verdict that nothing is shown if requests carry less than half of the messages of a load.
    func missingRequests(inLoad load: Int) -> TrialVerdict? {
        let messages = messages(inLoad: load)
        let count = messages.count { !attempts(of: $0).isEmpty }
        guard count == 0 || count * 2 < messages.count else { return nil }
        return .notShown("the gateway got \(count) of \(counted(messages.count, "message")) of load \(load + 1)")
    }

    /// Returns the verdict that nothing is shown if the gateway accepted less than half of the messages of a load.
    ///
    /// - Parameters:
    ///   - load: the load.
    ///   - isExcepted: whether a message need not be accepted.
    /// - Returns: the verdict.
    func missingMessages(
        inLoad load: Int,
        except isExcepted: (TrialObservation.Message) -> Bool = { _ in false }
    ) -> TrialVerdict? {
        let messages = messages(inLoad: load).filter { !isExcepted($0) }
        let count = messages.count(where: isAccepted)
        guard count == 0 || count * 2 < messages.count else { return nil }
        return .notShown("the gateway accepted \(count) of \(counted(messages.count, "message")) of load \(load + 1)")
    }

    /// Returns the verdict on messages that the gateway never accepted; `nil` if there are none.
    ///
    /// If the provider was still sending new messages when the trial ended, it is only slow, so nothing is shown.
    ///
    /// - Parameters:
    ///   - loads: the loads of the messages.
    ///   - isExcepted: whether a message need not be accepted.
    /// - Returns: the verdict.
    func lost(
        inLoads loads: ClosedRange<Int>,
        except isExcepted: (TrialObservation.Message) -> Bool = { _ in false }
    ) -> TrialVerdict? {
        let messages = observation.messages.filter { loads.contains($0.load) && !isExcepted($0) }
        let lost = messages.filter { !isAccepted($0) }
        guard let first = lost.first else { return nil }
        if isStillSending {
            let accepted = messages.count - lost.count
            return .notShown(
                "the provider was still sending at the end: \(accepted) of \(counted(messages.count, "message")) arrived"
            )
        }
        return failed(
            "\(lost.count) of \(counted(messages.count, "message")) never arrived, the first is \(first.marker)",
            ["lost": Double(lost.count)],
            request: lost.lazy.compactMap { attempts(of: $0).last }.first?.request
        )
    }

    /// Whether the gateway accepted a message for the first time within the last second of the trial.
    var isStillSending: Bool {
        var markers: Set<String> = []
        let last = attempts.last { $0.isAccepted }
        for attempt in attempts where attempt.isAccepted && attempt.request.number != last?.request.number {
            markers.insert(attempt.message.marker)
        }
        guard let last, !markers.contains(last.message.marker) else { return false }
        return milliseconds(from: last.request.at, to: observation.endedAt) < 1_000
    }

    /// Returns the verdict on messages that the gateway accepted more than once; `nil` if there are none.
    func doubled() -> TrialVerdict? {
        var accepted: Set<String> = []
        let repetitions = attempts.filter { $0.isAccepted && !accepted.insert($0.message.marker).inserted }
        guard let first = repetitions.first else { return nil }
        let count = Set(repetitions.map(\.message.marker)).count
        return failed(
            "\(counted(count, "message")) arrived more than once, the first is \(first.message.marker)",
            ["doubled": Double(count)],
            request: first.request
        )
    }

    /// Returns the verdict on messages that had to wait because of another message; `nil` if none had to.
    ///
    /// The measure is the maximum time without a new message, compared with the first load: a provider that is slow, or
    /// that another program stops for some seconds, does not fail.
    ///
    /// - Parameters:
    ///   - load: the load of the messages.
    ///   - time: the time at which the other message was sent.
    /// - Returns: the verdict.
    func delayed(inLoad load: Int, after time: Timestamp) -> TrialVerdict? {
        guard load < loads.count else { return nil }
        let maximum = max(5_000, 3 * longestGap(inLoad: 0))
        var previous = max(time, loads[load].at)
        for request in firstRequests(inLoad: load) {
            let wait = milliseconds(from: previous, to: request.at)
            if wait > maximum {
                return failed(
                    "messages to other devices waited for \(seconds(wait))",
                    ["seconds": Double(wait) / 1_000],
                    request: request
                )
            }
            previous = max(previous, request.at)
        }
        return nil
    }

    /// Returns the first request with each message of a load, by time.
    private func firstRequests(inLoad load: Int) -> [ProviderRequestRecord] {
        messages(inLoad: load).compactMap { attempts(of: $0).first?.request }.sorted { $0.at < $1.at }
    }

    /// Returns the maximum time between two new messages of a load, in milliseconds.
    ///
    /// The time before the first one does not count, because some programs take long to start.
    private func longestGap(inLoad load: Int) -> Int {
        let times = firstRequests(inLoad: load).map(\.at)
        return zip(times, times.dropFirst()).map { milliseconds(from: $0, to: $1) }.max() ?? 0
    }
}

// MARK: Times and numbers

extension TrialEvidence {
    /// Returns the time between two times.
    func milliseconds(from start: Timestamp, to end: Timestamp) -> Int {
        end.rawValue - start.rawValue
    }

    /// Returns a time in whole seconds, such as `3 s`.
    func seconds(_ milliseconds: Int) -> String {
        "\(milliseconds / 1_000) s"
    }

    /// Returns a number of things, such as `2 messages`.
    ///
    /// - Parameters:
    ///   - count: the number.
    ///   - name: the name of one.
    ///   - plural: the name of several, if it does not only get an `s`.
    /// - Returns: the text.
    func counted(_ count: Int, _ name: String, plural: String? = nil) -> String {
        "\(count) \(count == 1 ? name : plural ?? name + "s")"
    }

    /// Returns the number of seconds by which the provider's clock was ahead of the system's at a time.
    func providerClock(at time: Timestamp) -> Int {
        guard let step = observation.steps.last(where: { $0.at <= time }) else {
            return observation.steps.first?.providerClock ?? 0
        }
        switch step.step {
        // The clock moves as soon as the step begins.
        case .advance(let seconds), .skew(let seconds): return step.providerClock + seconds
        default: return step.providerClock
        }
    }

    /// Returns a time by the provider's clock, in seconds since 1970.
    func providerTime(at time: Timestamp) -> Int {
        time.seconds + providerClock(at: time)
    }
}
