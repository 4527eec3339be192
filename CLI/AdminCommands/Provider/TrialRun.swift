internal import Foundation
internal import ProviderTrials
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

        /// The gateway starts again, with a certificate of the second authority.
        case changeAuthority

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
    /// If a trial moves the clock, they are ahead from the first provider token on: a token with the real time shows that
    /// the clock of the provider cannot be moved.
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
            let markers = messages.suffix(load.messages).map(\.marker)
            return [effect, .wait(TrialWait(.load, for: markers))]
        case .begin(let load): return [try give(load, at: time)]
        case .settle(let seconds):
            return [.wait(TrialWait(.answers(maximumSeconds: seconds), for: messages.map(\.marker)))]
        case .awaitRequests(let count): return [.wait(TrialWait(.requests(count)))]
        case .inject(let fault, let devices, let since): return faults(fault, devices, since: since)
        case .removeFaults: return [.removeFaults]
        case .changeAuthority: return [.changeAuthority]
        case .affectConnections(let fault): return [.affectConnections(fault)]
        case .advance(let seconds):
            return [.advanceGateway(milliseconds: seconds * 1_000)] + moveProviderClock(by: seconds)
        case .skew(let seconds): return moveProviderClock(by: seconds)
        case .pause(let seconds): return [.wait(TrialWait(.pause(seconds: seconds), for: messages.map(\.marker)))]
        }
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
        return .give(newMessages)
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
