internal import Foundation
internal import ProviderTrials
internal import PushRules
internal import WaypostSchema

/// The state of a trial while it runs: the steps so far, the messages, and the clock of the provider.
struct TrialRun: Sendable {
    /// An effect of a step.
    enum Effect: Sendable, Equatable {
        /// The provider gets messages.
        case give([TrialMessage])

        /// The gateway gets a fault.
        case addFault(SendFault)

        /// All faults of the gateway are removed.
        case removeFaults

        /// A fault happens on the connections.
        case affectConnections(ConnectionFault)

        /// The gateway's clock advances by milliseconds.
        case advanceGateway(milliseconds: Int)

        /// The provider's clock is ahead of the system's by seconds.
        case setProviderClock(seconds: Int)

        /// The gateway starts again, with a certificate of an authority.
        case restart(TrialAuthority)

        /// The trial waits.
        case wait(TrialWait)
    }

    /// The trial.
    let trial: ProviderTrial

    /// The devices and the keys.
    let setup: TrialSetup

    /// The seed of faults that choose at random.
    let seed: Int

    private var steps: [TrialObservation.Step] = []
    private var messages: [TrialObservation.Message] = []
    private var loadCount = 0

    /// The devices of the faults that refuse messages for good, until the faults are removed; `nil` for all devices.
    private var finalRefusals: [Range<Int>?] = []

    /// The markers of the messages that a fault refuses for good, so that no wait is for them.
    private var refusedMarkers: Set<String> = []

    /// The number of seconds by which the provider's clock is ahead.
    private var providerClock: Int

    /// The time of the first message of the next load, so that the timestamps in payloads grow from load to load.
    private var nextMessageTime = Timestamp(milliseconds: 0)

    init(_ trial: ProviderTrial, _ setup: TrialSetup, seed: Int) {
        self.trial = trial
        self.setup = setup
        self.seed = seed
        providerClock = Self.clockLead(of: trial)
    }

    /// Returns the number of seconds by which the clocks of the provider and of the gateway are ahead at the start.
    ///
    /// If a trial moves the clock, they are ahead from the first provider token on: a token with the real time then
    /// shows that the clock of the provider cannot be moved.
    static func clockLead(of trial: ProviderTrial) -> Int {
        trial.movesClock ? 600 : 0
    }

    /// Begins a step, and returns its effects in order.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - time: the time by the system's clock.
    /// - Returns: the effects.
    /// - Throws: `EncodingError` if a payload cannot be measured.
    mutating func begin(_ step: TrialStep, at time: Timestamp) throws -> [Effect] {
        steps.append(TrialObservation.Step(step: step, at: time, providerClock: providerClock))
        switch step {
        case .load(let load):
            let effect = try give(load, at: time)
            return [effect, .wait(TrialWait(.load, for: lastMarkers))]
        case .begin(let load): return [try give(load, at: time)]
        case .settle(let seconds):
            let markers = messages.map(\.marker).filter { !refusedMarkers.contains($0) }
            return [.wait(TrialWait(.answers(maximumSeconds: seconds), for: markers))]
        case .awaitRequests(let count): return [.wait(TrialWait(.requests(count), for: lastMarkers))]
        case .inject(let fault, let devices, let since):
            if fault.refusesForGood { finalRefusals.append(devices) }
            return faults(fault, devices, since: since)
        case .removeFaults:
            finalRefusals = []
            return [.removeFaults]
        case .restart(let authority): return [.restart(authority)]
        case .affectConnections(let fault): return [.affectConnections(fault)]
        case .advance(let seconds):
            return [.advanceGateway(milliseconds: seconds * 1_000)] + moveProviderClock(by: seconds)
        case .skew(let seconds): return moveProviderClock(by: seconds)
        case .pause(let seconds): return [.wait(TrialWait(.pause(seconds: seconds), for: messages.map(\.marker)))]
        }
    }

    /// Returns whether the trial goes on after a wait.
    ///
    /// A provider that has sent nothing by then sends nothing after the next steps either, and each of them would wait.
    func goesOn(after activity: TrialActivity) -> Bool {
        messages.isEmpty || activity.requestCount > 0
    }

    /// Returns the things that the gateway saw, as the trial judges them.
    func observation(
        _ requests: [ProviderRequestRecord],
        _ connections: [ProviderConnectionRecord],
        endedAt: Timestamp
    ) -> TrialObservation {
        TrialObservation(
            steps: steps,
            messages: messages,
            requests: requests.sorted { $0.number < $1.number },
            connections: connections.sorted { $0.number < $1.number },
            endedAt: endedAt
        )
    }

    /// The markers of the messages of the last load.
    private var lastMarkers: [String] {
        messages.filter { $0.load == loadCount - 1 }.map(\.marker)
    }

    private mutating func give(_ load: TrialLoad, at time: Timestamp) throws -> Effect {
        let load = (number: loadCount, value: load)
        loadCount += 1
        let messageTime = max(time.advanced(by: providerClock * 1_000), nextMessageTime)
        let newMessages = try TrialMessages.messages(
            of: load.value,
            named: "\(trial.name)-\(load.number)",
            for: setup,
            at: messageTime
        )
        nextMessageTime = messageTime.advanced(by: load.value.messages * 1_000)
        messages += newMessages.enumerated().map { index, message in
            let device = load.value.device(index)
            return TrialObservation.Message(
                marker: message.marker,
                load: load.number,
                device: device,
                token: setup.tokens[device],
                expiration: message.expiration
            )
        }
        for message in messages where message.load == load.number && isRefused(message.device) {
            refusedMarkers.insert(message.marker)
        }
        return .give(newMessages)
    }

    private func isRefused(_ device: Int) -> Bool {
        finalRefusals.contains { $0?.contains(device) ?? true }
    }

    private func faults(_ fault: SendFault, _ devices: Range<Int>?, since: Int?) -> [Effect] {
        var fault = fault
        if fault.probability != nil { fault.seed = seed }
        if let since { fault.timestamp = setup.registeredAt.advanced(by: since * 1_000) }
        guard let devices else { return [.addFault(fault)] }
        return devices.map { device in
            fault.token = setup.tokens[device]
            return .addFault(fault)
        }
    }

    /// Moves the clock of the provider if the trial does that; otherwise it stays that of the system.
    private mutating func moveProviderClock(by seconds: Int) -> [Effect] {
        guard trial.movesClock else { return [] }
        providerClock += seconds
        return [.setProviderClock(seconds: providerClock)]
    }
}

extension SendFault {
    /// Whether the fault refuses every message with an answer after which no provider repeats it.
    fileprivate var refusesForGood: Bool {
        guard kind == .respond, times == nil, probability == nil, pattern == nil else { return false }
        return switch status ?? reason?.status {
        // A provider sends again with another token, or later.
        case 403?, 429?, nil: false
        case let status?: (400..<500).contains(status)
        }
    }
}
