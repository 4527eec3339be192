internal import WaypostSchema

/// The use of a provider token on all connections.
private struct TokenUse {
    /// The number of the token.
    let number: Int

    /// The first request with it.
    let first: ProviderRequestRecord

    /// The `iat`; `nil` if the token cannot be read.
    let issuedAt: Timestamp?
}

extension TrialEvidence {
    /// The minimum time between two tokens, in seconds, less the time that the trial itself may take.
    private static let minimumSpacing = 1_200 - 60

    /// The maximum age of a token, in seconds, and what the trial itself may take.
    private static let maximumAge = 3_600 + 60

    /// The provider tokens in the order of their first use.
    private var tokenUses: [TokenUse] {
        let issueTimes = Dictionary(
            observation.connections.flatMap(\.tokens).map { ($0.number, $0.issuedAt) },
            uniquingKeysWith: { first, _ in first }
        )
        var numbers: Set<Int> = []
        return observation.requests.compactMap { request in
            guard let number = request.providerToken, numbers.insert(number).inserted else { return nil }
            return TokenUse(number: number, first: request, issuedAt: issueTimes[number] ?? nil)
        }
    }

    /// Returns the verdict that nothing is shown if no request has a provider token.
    private func missingTokens() -> TrialVerdict? {
        guard attempts.allSatisfy({ $0.request.providerToken == nil }) else { return nil }
        return .notShown("no request has a provider token; the provider may use a certificate")
    }

    /// Returns the verdict that nothing is shown if the clock of the provider did not move with that of the gateway.
    ///
    /// The clock is ahead when the provider starts, but a program whose clock `faketime` cannot move, such as a static
    /// one, signs its tokens with the real time.
    private func unmovedClock() -> TrialVerdict? {
        let isUnmoved = tokenUses.contains { use in
            guard let issuedAt = use.issuedAt, providerClock(at: use.first.at) > 300 else { return false }
            return abs(issuedAt.seconds - use.first.at.seconds) <= 300
        }
        guard isUnmoved else { return nil }
        return .notShown("the provider's clock did not move: it signed a token with the real time")
    }

    /// Returns the first request that the gateway itself refused for a reason, and not because of a fault.
    private func refusal(for reason: RejectionReason) -> ProviderRequestRecord? {
        observation.requests.first { $0.fault == nil && $0.reason == reason }
    }
}

// MARK: The age of tokens

extension TrialEvidence {
    /// Judges `token-reuse`.
    func judgeTokenReuse() -> TrialVerdict {
        if let verdict = missingRequests(inLoad: 0) ?? missingTokens() { return verdict }
        let uses = tokenUses
        let counts = "\(counted(uses.count, "provider token")) for \(counted(attempts.count, "request"))"
        let figures = ["providerTokens": Double(uses.count)]
        if uses.count > 1 {
            return failed("\(counts); Apple asks for one in 20 minutes", figures, request: uses[1].first)
        }
        return missingMessages(inLoad: 0) ?? passed(counts, figures)
    }

    /// Judges `token-refresh`.
    func judgeTokenRefresh() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) ?? missingTokens() ?? unmovedClock() { return verdict }
        let (uses, ages) = (tokenUses, tokenAges)
        let maximum = (ages.map { $0.age }.max() ?? 0) / 60
        let figures = ["providerTokens": Double(uses.count), "maximumMinutes": Double(maximum)]
        if let old = ages.first(where: { $0.age > Self.maximumAge }) {
            let summary = "a provider token was \(old.age / 60) minutes old when it was used; Apple accepts 60"
            return failed(summary, figures, request: old.request)
        }
        if let request = refusal(for: .expiredProviderToken) {
            return failed("a request was refused with ExpiredProviderToken", figures, request: request)
        }
        if let request = refusal(for: .tooManyProviderTokenUpdates) {
            return failed("a provider token was replaced within 20 minutes", figures, request: request)
        }
        if let early = earlyReplacement(among: uses) {
            let summary = "a provider token was replaced after \(early.seconds / 60) minutes; Apple asks for 20"
            return failed(summary, figures, request: early.request)
        }
        if let verdict = missingMessages(inLoad: loads.count - 1) { return verdict }
        guard uses.count > 1, !ages.isEmpty else {
            return .notShown("the times of the provider tokens cannot be read")
        }
        return passed("\(uses.count) provider tokens in 70 minutes, at most \(maximum) minutes old", figures)
    }

    /// Returns the first request with a provider token that followed another one within 20 minutes.
    ///
    /// Both the first uses and the times of the signatures must be too close: a token that is first used late is for
    /// `first-use-late` to judge.
    private func earlyReplacement(among uses: [TokenUse]) -> (request: ProviderRequestRecord, seconds: Int)? {
        for (previous, next) in zip(uses, uses.dropFirst()) {
            var spacing = providerTime(at: next.first.at) - providerTime(at: previous.first.at)
            if let start = previous.issuedAt, let end = next.issuedAt {
                spacing = max(spacing, end.seconds - start.seconds)
            }
            if spacing < Self.minimumSpacing { return (request: next.first, seconds: spacing) }
        }
        return nil
    }

    /// The ages of the provider tokens in seconds by the provider's clock, at each request.
    private var tokenAges: [(request: ProviderRequestRecord, age: Int)] {
        let uses = Dictionary(tokenUses.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        return attempts.compactMap { attempt in
            guard let number = attempt.request.providerToken, let issuedAt = uses[number]?.issuedAt else { return nil }
            return (request: attempt.request, age: providerTime(at: attempt.request.at) - issuedAt.seconds)
        }
    }

    /// Judges `first-use-late`.
    func judgeFirstUseLate() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) ?? missingTokens() ?? unmovedClock() { return verdict }
        let uses = tokenUses
        let figures = ["providerTokens": Double(uses.count)]
        if let request = refusal(for: .tooManyProviderTokenUpdates) {
            return failed("another provider token was used within 20 minutes", figures, request: request)
        }
        guard let start = loads.last?.at, let first = uses.first else { return .notShown("no load began") }
        let spacing = { (use: TokenUse) in self.providerTime(at: use.first.at) - self.providerTime(at: first.first.at) }
        if let early = uses.first(where: { $0.first.at >= start && spacing($0) < Self.minimumSpacing }) {
            let summary = "another provider token was used \(spacing(early) / 60) minutes after the first"
            return failed("\(summary); Apple asks for 20 minutes", figures, request: early.first)
        }
        return missingMessages(inLoad: loads.count - 1)
            ?? passed("\(counted(uses.count, "provider token")) at 45 and 55 minutes", figures)
    }

    /// Judges `token-fleet`: a race of two processes at the start is accepted.
    func judgeTokenFleet() -> TrialVerdict {
        if let verdict = missingRequests(inLoad: 0) ?? missingTokens() { return verdict }
        let uses = tokenUses
        let summary = "\(counted(uses.count, "provider token")) of 3 processes"
        let figures = ["providerTokens": Double(uses.count)]
        if uses.count > 2 {
            return failed("\(summary); Apple asks for one in 20 minutes", figures, request: uses[2].first)
        }
        let messages = messages(inLoad: 0)
        for process in 0..<3 {
            let messagesOfProcess = stride(from: process, to: messages.count, by: 3).map { messages[$0] }
            guard messagesOfProcess.contains(where: isAccepted) else {
                return .notShown("process \(process + 1) of 3 sent none of its messages")
            }
        }
        return passed(summary, figures)
    }
}

// MARK: Refused tokens

extension TrialEvidence {
    /// Judges `expired-once`.
    func judgeExpiredOnce() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) ?? missingTokens() { return verdict }
        guard let refused = attempts(injected: .expiredProviderToken).first else {
            return .notShown("no request was refused with ExpiredProviderToken")
        }
        let repetitions = attempts(of: refused.message).filter { $0.request.number > refused.request.number }
        guard let repetition = repetitions.first else {
            return failed("the message that was refused was not sent again", request: refused.request)
        }
        guard let renewed = repetitions.first(where: { $0.request.providerToken != refused.request.providerToken })
        else {
            return failed("the message was sent again with the same provider token", request: repetition.request)
        }
        let wait = milliseconds(from: refused.request.at, to: renewed.request.at)
        guard wait < 10_000 else {
            return failed("the new provider token came after \(seconds(wait))", request: renewed.request)
        }
        // The new token may be refused on another connection, which had a token less than 20 minutes ago.
        let isThrottled = { (message: TrialObservation.Message) in
            self.attempts(of: message).last?.request.reason == .tooManyProviderTokenUpdates
        }
        return doubled() ?? lost(inLoads: 1...1, except: isThrottled)
            ?? passed("a new provider token after \(wait) ms, and every message once")
    }

    /// Judges `update-throttle`.
    func judgeUpdateThrottle() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) ?? missingTokens() { return verdict }
        let refused = attempts(injected: .tooManyProviderTokenUpdates)
        guard let first = refused.first else {
            return .notShown("no request was refused with TooManyProviderTokenUpdates")
        }
        let later = tokenUses.filter { $0.first.number > first.request.number }
        let answers = counted(refused.count, "answer")
        if let new = later.first {
            return failed(
                "\(counted(later.count, "new provider token")) after \(answers) TooManyProviderTokenUpdates",
                ["providerTokens": Double(later.count)],
                request: new.first
            )
        }
        return passed("no new provider token after \(answers) TooManyProviderTokenUpdates", ["providerTokens": 0])
    }

    /// Judges `key-revoked`.
    func judgeKeyRevoked() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let refused = attempts(injected: .invalidProviderToken)
        guard !refused.isEmpty else { return .notShown("no request was refused with InvalidProviderToken") }
        let messages = messages(inLoad: loads.count - 1).count
        let counts = "\(counted(refused.count, "request")) for \(counted(messages, "message"))"
        let summary = "\(counts) after the key was revoked"
        let figures = ["refused": Double(refused.count)]
        guard refused.count > messages + 5 else { return passed(summary, figures) }
        return failed(summary, figures, request: refused[messages + 5].request)
    }

    /// Judges `two-teams`.
    func judgeTwoTeams() -> TrialVerdict {
        if let verdict = missingRequests(inLoad: 0) ?? missingTokens() { return verdict }
        let teams = Set(observation.connections.flatMap(\.tokens).compactMap(\.team))
        for connection in observation.connections {
            guard let team = connection.tokens.lazy.compactMap(\.team).first,
                let other = connection.tokens.first(where: { $0.team != nil && $0.team != team })
            else { continue }
            let request = observation.requests.first {
                $0.connection == connection.number && $0.providerToken == other.number
            }
            return failed("connection \(connection.number) has tokens of two teams", request: request)
        }
        guard teams.count > 1 else { return .notShown("the provider used provider tokens of one team only") }
        return missingMessages(inLoad: 0)
            ?? passed("\(counted(observation.connections.count, "connection")), each with tokens of one team")
    }

    /// Judges `clock-skew`.
    func judgeClockSkew() -> TrialVerdict {
        if attempts.isEmpty { return .notShown("the gateway got no message") }
        if let verdict = missingTokens() { return verdict }
        guard attempts.contains(where: { $0.request.status == 403 }) else {
            return .notShown("no provider token was refused, so the provider's clock did not move")
        }
        for (index, load) in loads.enumerated() {
            let end = index + 1 < loads.count ? loads[index + 1].at : Timestamp(milliseconds: .max)
            let new = tokenUses.filter { $0.first.at >= load.at && $0.first.at < end }
            if new.count > 2 {
                let summary = "\(new.count) new provider tokens within 5 minutes with a wrong clock"
                return failed(summary, ["providerTokens": Double(new.count)], request: new[2].first)
            }
            let maximum = 3 * load.value.messages
            let requests = attempts.filter { $0.request.at >= load.at && $0.request.at < end }
            if requests.count > maximum {
                let summary = "\(requests.count) requests for \(load.value.messages) messages with a wrong clock"
                return failed(summary, request: requests[maximum].request)
            }
        }
        let tokens = tokenUses.count
        return passed(
            "\(counted(tokens, "provider token")) and \(counted(attempts.count, "request")) with a wrong clock",
            ["providerTokens": Double(tokens)]
        )
    }
}
