internal import Highlights
internal import PushRules
public import WaypostSchema

/// The tokens of apps that have tokens of their own.
extension DeviceModel {
    /// Returns the tokens of an app, in the order of the requests; none that the gateway has not assigned yet.
    public func tokens(of app: BundleIdentifier) -> [AppToken] {
        tokens.current.filter { $0.purpose.app == app && $0.token != nil }
    }

    mutating func handle(_ event: TokenEvent) throws(IgnoredEvent) -> [DeviceEffect] {
        switch event {
        case .tokenRequested(let purpose):
            try requireDeclared(purpose)
            tokens.request(purpose)
            return []
        case .tokenReleased(let purpose):
            guard tokens.contains(purpose) else { throw .noToken(for: purpose) }
            return endTokens { $0 == purpose }
        case .tokenAssigned(let purpose, let token):
            // Earlier versions requested this token before the app ran; a back end may have it.
            if apps[purpose.app]?.liveActivitySettings?.hasRun == false, purpose.kind == .pushToStart,
                purpose.name == nil
            {
                requestStartToken(of: purpose.app)
            }
            return tokens.assign(token, to: purpose) ? [.token(.tokenChanged(purpose, token))] : []
        case .tokenInvalidated(let token):
            guard tokens.purpose(of: token) != nil else {
                throw IgnoredEvent(reason: .unknownToken, explanation: "no app has the token \(token)")
            }
            return tokens.invalidate(token).map { [.token(.tokenChanged($0, nil))] } ?? []
        }
    }

    /// Ends the tokens for some purposes; returns the effects on the apps that had them.
    mutating func endTokens(where isEnded: (TokenPurpose) -> Bool) -> [DeviceEffect] {
        tokens.end(where: isEnded).map { .token(.tokenChanged($0, nil)) }
    }

    /// Requests the tokens that an installed app declares, and ends those that it does not declare any more.
    ///
    /// Tokens with a name are requested by the app, except those of Live Activities; the one for starts by the app when
    /// it runs for the first time.
    mutating func updateTokens(of app: AppDescription) -> [DeviceEffect] {
        let (identifier, kinds) = (app.bundleIdentifier, app.tokens ?? [])
        let effects = endTokens { $0.app == identifier && !kinds.contains($0.kind) }
        let hasRun = app.liveActivities?.hasRun != false
        for kind in kinds where kind.nameRule != .required && (hasRun || kind != .pushToStart) {
            tokens.request(TokenPurpose(kind, of: identifier))
        }
        return effects + activities.all.filter { $0.app == identifier }.flatMap { updateToken(of: $0) }
    }

    /// Records that an app runs, which then requests the token that it could not request before.
    mutating func recordRun(of app: BundleIdentifier) {
        guard apps[app]?.recordRun() == true else { return }
        requestStartToken(of: app)
    }

    /// Requests the token for starts of an app's Live Activities, if the app declares it.
    mutating func requestStartToken(of app: BundleIdentifier) {
        guard apps[app]?.description.tokens?.contains(.pushToStart) == true else { return }
        tokens.request(TokenPurpose(.pushToStart, of: app))
    }

    /// Requests the token of a Live Activity, if its app declares such tokens and it can have one, or ends that of one
    /// that has ended.
    mutating func updateToken(of activity: LiveActivity) -> [DeviceEffect] {
        guard activity.isRunning else { return endTokens { $0 == activity.purpose } }
        let rules = liveActivityRules(of: activity.app)
        if rules.allowsTokens, activities.canHaveToken(activity.id) { tokens.request(activity.purpose) }
        return []
    }

    /// Requests another push-to-start token for an app, as after each start of a Live Activity by a push.
    ///
    /// - Returns: the reason, as the end of a sentence about the start; `nil` if the app keeps its token.
    mutating func renewStartToken(of app: BundleIdentifier) -> String? {
        guard let settings = apps[app]?.description.liveActivities, settings.renewsStartToken != false,
            tokens.renew(TokenPurpose(.pushToStart, of: app))
        else { return nil }
        let renewal = TokenContract.startTokenRenewal.evidence + TokenContract.earlierStartToken.evidence
        return "the app gets another push-to-start token, and the earlier one starts nothing any more, although it "
            + "still answers 200 (\(renewal.map { "\($0)" }.joined(separator: "; ")))"
    }

    /// The maximum number of tokens of an app, so that a process cannot fill the device and the gateway.
    private static let maximumTokens = 1_000

    /// Checks that an app may request a token.
    private func requireDeclared(_ purpose: TokenPurpose) throws(IgnoredEvent) {
        guard let app = apps[purpose.app]?.description else { throw .unknown(purpose.app) }
        guard app.tokens?.contains(purpose.kind) == true else {
            throw IgnoredEvent(
                reason: .undeclaredToken,
                explanation: "the app \(purpose.app) does not declare '\(purpose.kind.rawValue)' under 'tokens'"
            )
        }
        if let problem = purpose.nameProblem {
            throw IgnoredEvent(reason: .unusableTokenName, explanation: problem)
        }
        guard purpose.kind != .pushToStart || purpose.name == nil else {
            throw IgnoredEvent(
                reason: .unusableTokenName,
                explanation: "a device has one token of the kind 'pushToStart' for all types of the app, without a name"
            )
        }
        guard
            tokens.contains(purpose)
                || tokens.current.count(where: { $0.purpose.app == purpose.app }) < Self.maximumTokens
        else {
            throw IgnoredEvent(
                reason: .unusableTokenName,
                explanation: "the app \(purpose.app) has \(Self.maximumTokens) tokens, the maximum; release some"
            )
        }
        guard purpose.kind != .liveActivity || activities.all.contains(where: { $0.isRunning && $0.purpose == purpose })
        else {
            throw IgnoredEvent(
                reason: .unknownLiveActivity,
                explanation: "there is no Live Activity \(purpose.name ?? "") that has not ended"
            )
        }
    }
}

extension IgnoredEvent {
    fileprivate static func noToken(for purpose: TokenPurpose) -> Self {
        let name = purpose.name.map { " '\($0)'" } ?? ""
        return Self(
            reason: .unknownToken,
            explanation: "the app \(purpose.app) has no token for \(purpose.kind.rawValue)\(name)"
        )
    }
}
