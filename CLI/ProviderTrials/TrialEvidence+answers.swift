internal import WaypostSchema

// MARK: Device tokens

extension TrialEvidence {
    /// Returns the requests to device tokens after a 410 for them.
    ///
    /// Requests that may have been sent before the provider had read the answer do not count.
    ///
    /// - Parameter answers: the requests that got the 410.
    /// - Returns: the requests to these tokens, in order.
    func requestsToUnregisteredTokens(after answers: [Attempt]) -> [Attempt] {
        let firstAnswers = Dictionary(answers.map { ($0.message.token, $0) }, uniquingKeysWith: { first, _ in first })
        return attempts.filter { attempt in
            guard let answer = firstAnswers[attempt.message.token], attempt.request.number > answer.request.number
            else { return false }
            return attempt.message.marker == answer.message.marker || isLater(attempt, than: answer)
        }
    }

    /// Returns whether the provider had time to read an answer before it sent a request.
    private func isLater(_ attempt: Attempt, than answer: Attempt) -> Bool {
        milliseconds(from: answer.request.answeredAt ?? answer.request.at, to: attempt.request.at) > 1_000
    }

    /// Judges `gone-410`.
    func judgeGone410() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let answers = attempts(injected: .unregistered)
        guard let answer = answers.first else { return .notShown("no request was answered with 410") }
        let count = Set(answers.map(\.message.token)).count
        let later = requestsToUnregisteredTokens(after: answers)
        let summary = "\(counted(later.count, "request")) to \(counted(count, "device token")) after a 410"
        let figures = ["sentAfterUnregistered": Double(later.count)]
        if let first = later.first { return failed(summary, figures, request: first.request) }
        let load = loads.count - 1
        if let verdict = missingMessages(inLoad: load) { return verdict }
        guard attempts(inLoad: load).contains(where: { isLater($0, than: answer) }) else {
            return .notShown("the provider sent all messages at once, so it had not read the 410")
        }
        return passed(summary, figures)
    }

    /// Judges `gone-but-back` and `wrong-environment`: the tokens that got an answer are used in the last load.
    func judgeKeptTokens(after reason: RejectionReason) -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let refused = attempts(injected: reason)
        guard !refused.isEmpty else { return .notShown("no request was refused with \(reason)") }
        let load = loads.count - 1
        if let verdict = removedTokens(of: refused, load: load) { return verdict }
        let count = Set(refused.map(\.message.token)).count
        return passed("all \(counted(count, "device token")) got messages after \(reason)", ["kept": Double(count)])
    }

    /// Returns the verdict on device tokens that got no message of a load although they are valid; `nil` if all did.
    private func removedTokens(of refused: [Attempt], load: Int) -> TrialVerdict? {
        let expected = Set(messages(inLoad: load).map(\.token))
        let reached = Set(attempts(inLoad: load).map(\.message.token))
        let removed = Set(refused.map(\.message.token)).intersection(expected).subtracting(reached)
        guard !removed.isEmpty else { return nil }
        if isStillSending {
            let tokens = counted(removed.count, "device token")
            return .notShown("the provider was still sending at the end: \(tokens) had got no message")
        }
        let request = refused.first { removed.contains($0.message.token) }?.request
        let reason = request?.reason.map(\.rawValue) ?? "the answer"
        return failed(
            "\(counted(removed.count, "device token")) got no message after \(reason)",
            ["removed": Double(removed.count)],
            request: request
        )
    }

    /// Judges `one-bad-token`.
    func judgeOneBadToken() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        guard let bad = attempts(injected: .badDeviceToken).first else {
            return .notShown("no request was refused with BadDeviceToken")
        }
        let tries = attempts(of: bad.message)
        if tries.count > 1 {
            let summary = "the message to the bad device token was sent \(tries.count) times"
            return failed(summary, ["tries": Double(tries.count)], request: tries[1].request)
        }
        return doubled() ?? lost(inLoads: 0...1) { $0.marker == bad.message.marker }
            ?? passed("1 try for the bad device token, and every other message once", ["tries": 1])
    }

    /// Judges `not-for-topic`.
    func judgeNotForTopic() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let refused = attempts(injected: .deviceTokenNotForTopic)
        guard !refused.isEmpty else { return .notShown("no request was refused with DeviceTokenNotForTopic") }
        var markers: Set<String> = []
        if let repetition = refused.first(where: { !markers.insert($0.message.marker).inserted }) {
            let summary = "a message that got DeviceTokenNotForTopic was sent again"
            return failed(summary, ["refused": Double(refused.count)], request: repetition.request)
        }
        return removedTokens(of: refused, load: loads.count - 1)
            ?? passed("1 try for each message, and \(counted(markers.count, "device token")) used again later")
    }

    /// Judges `unknown-reason`.
    func judgeUnknownReason() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let answers = attempts(injected: ProviderTrial.unknownRejectionReason)
        guard let first = answers.first else { return .notShown("no request got an unknown reason") }
        let (load, bare) = (loads.count - 1, attemptsWithoutBody)
        if attempts(inLoad: load).isEmpty {
            let answer = bare.isEmpty ? "an unknown reason" : "an answer without a body"
            return failed("no message arrived after \(answer)", request: (bare.first ?? first).request)
        }
        let unregistered = answers.filter { $0.request.status == 410 }
        if let request = requestsToUnregisteredTokens(after: unregistered).first?.request {
            return failed("a device token got a message after a 410 with an unknown reason", request: request)
        }
        var markers: Set<String> = []
        if let repetition = bare.first(where: { !markers.insert($0.message.marker).inserted }) {
            return failed("a message was sent again after a 400 without a body", request: repetition.request)
        }
        let devices = Set(answers.map(\.message.device))
        let lost = lost(inLoads: 1...load) { devices.contains($0.device) || markers.contains($0.marker) }
        if let lost { return lost }
        guard !bare.isEmpty else { return .notShown("no request got an answer without a body") }
        return passed(
            "\(counted(answers.count, "answer")) with an unknown reason, \(bare.count) without a body, "
                + "and every other message"
        )
    }
}

// MARK: Retries

extension TrialEvidence {
    /// The factor by which intervals must grow: less than 2, because right providers add jitter.
    private static let minimumGrowth = 1.3

    /// The interval in milliseconds from which a constant one is accepted, because a trial is too short to tell more.
    private static let longInterval = 60_000

    /// The interval in milliseconds below which tries are repeated at once.
    private static let minimumInterval = 300

    /// Returns whether a message is repeated at once, or at intervals that do not grow.
    private func isHammering(_ tries: [Attempt]) -> Bool {
        let intervals = intervals(between: tries)
        guard intervals.count > 1, let maximum = intervals.max() else { return false }
        if maximum < Self.minimumInterval { return true }
        // With jitter, fewer intervals can shrink by chance.
        guard intervals.count > 3 else { return false }
        let (early, late) = (mean(intervals.prefix(intervals.count / 2)), mean(intervals.suffix(intervals.count / 2)))
        return late < Double(Self.longInterval) && late < early * Self.minimumGrowth
    }

    private func intervals(between tries: [Attempt]) -> [Int] {
        zip(tries, tries.dropFirst()).map { milliseconds(from: $0.request.at, to: $1.request.at) }
    }

    private func mean(_ numbers: ArraySlice<Int>) -> Double {
        numbers.isEmpty ? 0 : Double(numbers.reduce(0, +)) / Double(numbers.count)
    }

    /// Returns the verdict on messages that are repeated too often; `nil` unless that is so for most of them.
    ///
    /// A provider with jitter may have a message whose intervals shrink, but not most of its messages.
    private func hammering(_ messages: [TrialObservation.Message]) -> TrialVerdict? {
        let repeated = messages.map { attempts(of: $0) }.filter { $0.count > 2 }
        let hammering = repeated.filter { isHammering($0) }
        guard let tries = hammering.first, hammering.count * 2 > repeated.count else { return nil }
        let examples = intervals(between: tries).suffix(3).map { "\($0) ms" }.joined(separator: ", ")
        return failed(
            "\(tries.count) tries of a message, whose intervals do not grow; the last ones are \(examples)",
            ["tries": Double(tries.count)],
            request: tries[2].request
        )
    }

    /// Judges `device-429`.
    func judgeDevice429() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        guard let refused = attempts(injected: .tooManyRequests).first else {
            return .notShown("no request was refused with TooManyRequests")
        }
        let (load, limited) = (loads.count - 1, messages(inLoad: refused.message.load))
        if let verdict = hammering(limited) ?? delayed(inLoad: load, after: refused.request.at) { return verdict }
        if attempts(inLoad: load).isEmpty {
            return failed("no message to other devices arrived after the 429", request: refused.request)
        }
        let tries = limited.map { attempts(of: $0).count }.max() ?? 0
        return lost(inLoads: load...load)
            ?? passed(
                "at most \(counted(tries, "try", plural: "tries")) for a limited device, and others did not wait",
                ["tries": Double(tries)]
            )
    }

    /// Judges `unavailable-503`.
    func judgeUnavailable503() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let refused = attempts(injected: .serviceUnavailable)
        guard !refused.isEmpty else { return .notShown("no request was answered with 503") }
        let messages = messages(inLoad: loads.count - 1)
        if let verdict = hammering(messages) ?? doubled() { return verdict }
        let figures = ["refused": Double(refused.count)]
        let lost = messages.filter { !isAccepted($0) }
        if let first = lost.first {
            let summary = "\(lost.count) of \(counted(messages.count, "message")) were given up after 503"
            return failed(summary, figures, request: attempts(of: first).last?.request)
        }
        return passed("\(counted(refused.count, "answer")) with 503, and every message once in the end", figures)
    }

    /// Judges `idle-500`.
    ///
    /// Only answers count that the provider must have read when it sent the request.
    func judgeIdle500() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let answers = attempts(injected: .internalServerError)
        guard let first = answers.first else { return .notShown("no request was answered with 500") }
        for attempt in answers {
            let read = answers.count { other in
                guard other.request.connection == attempt.request.connection else { return false }
                let answer = other.request.answeredAt ?? other.request.at
                return milliseconds(from: answer, to: attempt.request.at) >= 500
            }
            if read >= 5 {
                let summary = "\(counted(answers.count, "answer")) with 500, and still no new connection after \(read)"
                return failed(summary, ["answers": Double(answers.count)], request: attempt.request)
            }
        }
        let later = attempts.first { $0.isAccepted && $0.request.number > first.request.number }
        guard later != nil else { return .notShown("the provider sent nothing on another connection") }
        let summary = "another connection after \(counted(answers.count, "answer")) with 500"
        return passed(summary, ["answers": Double(answers.count)])
    }
}
