internal import DeviceModel
internal import PushRules
internal import WaypostSchema

/// The facts about a token of an app that a gateway needs.
struct TokenReport: Sendable, Equatable {
    /// The token; without one, the gateway assigns one.
    var token: AppToken

    /// The name of the device.
    let deviceName: String

    /// The environment of the app; `nil` for both.
    let environment: PushEnvironment?

    /// Whether power is low, so that notifications of priority 5 and 1 must wait.
    let isLowPowerModeEnabled: Bool

    init(_ token: AppToken, of device: DeviceModel) {
        self.token = token
        deviceName = device.name
        environment = device.app(token.purpose.app)?.environment ?? device.environment
        isLowPowerModeEnabled = device.isLowPowerModeEnabled
    }

    /// Returns the registration, with which the token joins the agent of the device.
    func registration(with secret: BearerSecret) -> DeviceRegistration {
        DeviceRegistration(
            name: deviceName,
            topics: [token.purpose.topic],
            secret: secret,
            token: token.token,
            environment: environment,
            purpose: token.purpose
        )
    }
}

/// The registrations of the tokens of a device's apps, and the next report to the gateway.
struct TokenRegistrations: Sendable {
    /// A step towards what the device has.
    enum Step: Sendable, Equatable {
        /// The agent is new to the gateway, which does not have its tokens any more.
        case invalidate([DeviceToken])

        /// A token is new, or something about it changed.
        case register(TokenReport)

        /// A token ended.
        case unregister(DeviceToken)

        /// A token ended because its app gets another one; senders learn of it late.
        case unregisterLater(DeviceToken)

        /// No app waits any more for a token that the gateway may have assigned.
        case unregisterLost(TokenReport)
    }

    /// The secret with which the tokens were registered; `nil` for none.
    private var secret: BearerSecret?

    /// The last report that the gateway received, by purpose.
    private var reports: [TokenPurpose: TokenReport] = [:]

    /// The reports for which the gateway may have assigned tokens, because the answers to registrations were lost.
    ///
    /// If the device is renamed, such a token is still registered with the earlier name.
    private var unansweredReports: [TokenPurpose: TokenReport] = [:]

    /// The steps that the gateway refused, which are repeated only on another connection.
    private var refusedSteps: [Step] = []

    /// Creates the value when an agent starts.
    ///
    /// - Parameters:
    ///   - secret: the secret with which the tokens were registered; `nil` for none.
    ///   - requests: the reports without a token. The agent may have ended before it received the answers.
    init(secret: BearerSecret?, requests: [TokenReport] = []) {
        self.secret = secret
        guard secret != nil else { return }
        for request in requests { unansweredReports[request.token.purpose] = request }
    }

    /// Returns the next step; `nil` if the gateway has received everything, or refused it.
    mutating func nextStep(for device: DeviceModel, secret: BearerSecret) -> Step? {
        let tokens = device.tokens
        if secret != self.secret {
            self = Self(secret: secret)
            let lostTokens = tokens.current.compactMap(\.token)
            if !lostTokens.isEmpty { return .invalidate(lostTokens) }
        }
        let endedTokens = tokens.ended.compactMap(\.token)
        let changedReports = tokens.current.map { TokenReport($0, of: device) }
            .filter { reports[$0.token.purpose] != $0 }
        let ends = endedTokens.filter { !tokens.isRenewed($0) }.map(Step.unregister)
        let lostReports = unansweredReports.values.filter { report in
            !tokens.current.contains { $0.purpose == report.token.purpose }
        }
        // Otherwise the app would have no token for its topic for a moment, and the device would miss a broadcast.
        let laterEnds = endedTokens.filter { tokens.isRenewed($0) }.map(Step.unregisterLater)
        return (ends + lostReports.map(Step.unregisterLost) + changedReports.map(Step.register) + laterEnds)
            .first { !refusedSteps.contains($0) }
    }

    /// Records that the gateway has received a report, and the token that it assigned or confirmed.
    mutating func record(_ report: TokenReport, as token: DeviceToken) {
        reports[report.token.purpose] = report
        reports[report.token.purpose]?.token.token = token
        unansweredReports[report.token.purpose] = nil
    }

    /// Records that a step has no answer, so that the gateway may have performed it.
    mutating func recordLostAnswer(to step: Step) {
        guard case .register(let report) = step, report.token.token == nil else { return }
        // The first attempt has the name with which the gateway may have registered the token.
        let purpose = report.token.purpose
        unansweredReports[purpose] = unansweredReports[purpose] ?? report
    }

    /// Returns the report for which the gateway may have assigned a token that the device did not receive.
    func lostReport(for purpose: TokenPurpose) -> TokenReport? {
        unansweredReports[purpose]
    }

    /// Records that the gateway has no token any more that no app waits for.
    mutating func recordEnd(ofLost report: TokenReport) {
        unansweredReports[report.token.purpose] = nil
    }

    /// Records that the gateway has unregistered a token.
    mutating func recordEnd(of token: DeviceToken) {
        reports = reports.filter { $0.value.token.token != token }
    }

    /// Records that the gateway refused a step.
    mutating func recordRefusal(of step: Step) {
        refusedSteps.append(step)
    }

    /// Forgets what the gateway refused, so that it is sent again.
    mutating func forgetRefusals() {
        refusedSteps = []
    }
}
