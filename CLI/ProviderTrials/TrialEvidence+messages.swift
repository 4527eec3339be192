internal import WaypostSchema

extension TrialEvidence {
    /// The header with the expiration.
    private static let expirationHeader = "apns-expiration"

    /// The header with the collapse identifier.
    private static let collapseHeader = "apns-collapse-id"

    /// The number of seconds by which an expiration in an hour may differ from that.
    private static let expirationTolerance = 300

    /// Judges `expiration-three`.
    func judgeExpirationThree() -> TrialVerdict {
        if let verdict = missingRequests(inLoad: 0) { return verdict }
        if attempts.allSatisfy({ $0.request.headers == nil }) {
            return .notShown("the gateway did not keep the headers")
        }
        for attempt in attempts {
            if let problem = problem(ofExpirationIn: attempt) { return failed(problem, request: attempt.request) }
        }
        let wishes: [String?] = ["now", "hour", nil]
        for wish in wishes where !attempts.contains(where: { $0.message.expiration == wish }) {
            return .notShown("the gateway got no message \(wish.map { "with the wish \($0)" } ?? "without a wish")")
        }
        return missingMessages(inLoad: 0)
            ?? passed("the expirations of \(counted(attempts.count, "request")) are right")
    }

    /// Returns a sentence about the expiration of a request if it does not fit the wish of its message.
    private func problem(ofExpirationIn attempt: Attempt) -> String? {
        let value = attempt.request.headers?[Self.expirationHeader]
        let header = value.map { "\(Self.expirationHeader) is \($0)" } ?? "\(Self.expirationHeader) is absent"
        switch attempt.message.expiration {
        case "now": return value == "0" ? nil : "\(header) for a message to deliver now; it must be 0"
        case "hour":
            let expected = attempt.request.at.seconds + 3_600
            let difference = value.flatMap { Int($0) }.map { abs($0 - expected) }
            if let difference, difference <= Self.expirationTolerance { return nil }
            return "\(header) for a message that expires in an hour; it must be about \(expected)"
        default: return value == nil ? nil : "\(header) for a message without an expiration; it must be absent"
        }
    }

    /// Judges `late-answer`.
    func judgeLateAnswer() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        let late = attempts.filter { $0.request.fault == .delay }
        guard !late.isEmpty else { return .notShown("no answer was late") }
        var repeated = 0
        for attempt in late {
            let accepted = attempts(of: attempt.message).filter(\.isAccepted)
            guard accepted.count > 1 else { continue }
            repeated += 1
            let identifiers = accepted.map { $0.request.headers?[Self.collapseHeader] ?? "" }
            let isSame = identifiers.allSatisfy { $0 == identifiers.first && !$0.isEmpty && $0.utf8.count <= 64 }
            if isSame { continue }
            return failed(
                "a message arrived \(accepted.count) times without the same apns-collapse-id",
                ["doubled": 1],
                request: accepted[1].request
            )
        }
        return passed(
            "\(counted(late.count, "late answer")), \(counted(repeated, "message")) repeated with its apns-collapse-id",
            ["repeated": Double(repeated)]
        )
    }

    /// Judges `type-topic-payload`.
    func judgeTypeTopicPayload() -> TrialVerdict {
        if attempts.isEmpty { return .notShown("the gateway got no message") }
        for attempt in attempts {
            let type = attempt.request.headers?["apns-push-type"] ?? "missing"
            if let finding = attempt.request.findings?.first(where: { $0.severity == .error }) {
                return failed("push type \(type): \(finding.message)", request: attempt.request)
            }
            if let refusal = refusal(of: attempt.request) {
                return failed("push type \(type): \(refusal)", request: attempt.request)
            }
        }
        let accepted = attempts.filter(\.isAccepted)
        let types = Set(accepted.compactMap { $0.request.headers?["apns-push-type"] })
        guard types.count > 1 else {
            return .notShown("the gateway accepted messages of \(counted(types.count, "push type")) only")
        }
        return passed("\(types.count) push types are right", ["pushTypes": Double(types.count)])
    }

    /// Returns the reason of a refusal that is due to the message, and not to the provider token or the rate.
    private func refusal(of request: ProviderRequestRecord) -> String? {
        guard request.fault == nil, let status = request.status, (400..<500).contains(status) else { return nil }
        guard status != 403, status != 429 else { return nil }
        return "\(status), \(request.message ?? request.reason?.rawValue ?? "no reason")"
    }

    /// Judges `payload-size`.
    ///
    /// A provider that sends no calls at all is judged by its other messages.
    func judgePayloadSize() -> TrialVerdict {
        if attempts.isEmpty, let verdict = missingRequests(inLoad: 0) { return verdict }
        let messages = messages(inLoad: 0).enumerated().map { index, message in
            (message: message, size: TrialPayloadSize.size(at: index))
        }
        let oversizedMarkers = Set(messages.compactMap { $0.size.isTooLarge ? $0.message.marker : nil })
        for (message, size) in messages where size.isTooLarge {
            let tries = attempts(of: message)
            guard tries.count > 1 else { continue }
            let summary = "a payload of \(text(size.bytes)) was sent \(tries.count) times"
            return failed(summary, ["tries": Double(tries.count)], request: tries[1].request)
        }
        if let request = inflatedRequest(except: oversizedMarkers) {
            let size = request.body?.utf8.count ?? 0
            let summary = "a payload that is not too large was sent with \(text(size)) or more"
            return failed(summary, ["bytes": Double(size)], request: request)
        }
        let sendsCalls = messages.contains { $0.size.isCall && !attempts(of: $0.message).isEmpty }
        let exceptions = oversizedMarkers.union(
            messages.compactMap { $0.size.isCall && !sendsCalls ? $0.message.marker : nil }
        )
        let sizes = sendsCalls ? "4,096 bytes, and of 5,120 for voip," : "4,096 bytes"
        return missingMessages(inLoad: 0) { exceptions.contains($0.marker) }
            ?? lost(inLoads: 0...0) { exceptions.contains($0.marker) }
            ?? passed("payloads of \(sizes) arrived, and larger ones were not repeated")
    }

    /// Returns a number of bytes, such as `4,097 bytes`.
    private func text(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return counted(bytes, "byte") }
        let rest = "\(bytes % 1_000)"
        return "\(bytes / 1_000),\(String(repeating: "0", count: 3 - rest.count))\(rest) bytes"
    }

    /// Returns the first request that was too large although the payload of its message is not.
    ///
    /// The marker of a request is missing if the gateway keeps only the beginning of its body.
    private func inflatedRequest(except oversizedMarkers: Set<String>) -> ProviderRequestRecord? {
        let oversized = Set(attempts.filter { oversizedMarkers.contains($0.message.marker) }.map(\.request.number))
        return observation.requests.first { $0.reason == .payloadTooLarge && !oversized.contains($0.number) }
    }

    /// Judges `live-activity-life`.
    ///
    /// Updates on two connections may overtake each other within milliseconds, which does not count.
    func judgeLiveActivityLife() -> TrialVerdict {
        if let verdict = missingMessages(inLoad: 0) { return verdict }
        if let attempt = attempts.first(where: { $0.request.headers?["apns-push-type"] != "liveactivity" }) {
            return failed("the apns-push-type of an update is not liveactivity", request: attempt.request)
        }
        for attempt in attempts {
            guard let refusal = refusal(of: attempt.request) else { continue }
            return failed("an update was refused: \(refusal)", request: attempt.request)
        }
        if let request = outdatedUpdate() {
            return failed("an update arrived after a later one of its activity", request: request)
        }
        let answers = attempts(injected: .unregistered)
        guard !answers.isEmpty else { return .notShown("no update was answered with 410") }
        if let request = requestsToUnregisteredTokens(after: answers).first?.request {
            return failed("an update was sent to an activity after a 410", request: request)
        }
        return missingMessages(inLoad: loads.count - 1)
            ?? passed("\(counted(attempts.count, "update")) in order, and none after a 410")
    }

    /// The time in milliseconds by which an update may arrive after a later one of its activity.
    private static let maximumDisorder = 200

    /// Returns the first accepted update that arrived after a later one of its activity.
    private func outdatedUpdate() -> ProviderRequestRecord? {
        let positions = Dictionary(
            observation.messages.enumerated().map { ($1.marker, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var newest: [DeviceToken: (position: Int, at: Timestamp)] = [:]
        for attempt in attempts where attempt.isAccepted {
            guard let position = positions[attempt.message.marker] else { continue }
            guard let last = newest[attempt.message.token], position < last.position else {
                newest[attempt.message.token] = (position: position, at: attempt.request.at)
                continue
            }
            let disorder = milliseconds(from: last.at, to: attempt.request.at)
            if disorder > Self.maximumDisorder { return attempt.request }
        }
        return nil
    }
}
