import WaypostSchema

@testable import ProviderTrials

/// A provider that is wrong as a trial says: it changes the observation of a right one.
struct WrongProvider: Sendable, CustomStringConvertible {
    /// The name of the trial.
    let trial: String

    /// Changes the observation, and returns the number of the request that the verdict names; `nil` if it names none.
    let change: @Sendable (inout TrialObservation) -> Int?

    /// The name of the trial.
    var description: String { trial }

    /// A provider that is wrong for each trial.
    static let all = tokens + connections + answers + messages

    // MARK: Provider tokens

    private static let tokens: [Self] = [
        Self(trial: "token-reuse") { observation in
            for index in observation.requests.indices { observation.requests[index].providerToken = index + 1 }
            return 2
        },
        Self(trial: "token-refresh") { observation in
            for index in observation.requests.indices { observation.requests[index].providerToken = 1 }
            return observation.request("7-0")?.number
        },
        Self(trial: "token-refresh") { observation in
            // Each load has a connection and a provider token of its own, so the gateway refuses none.
            observation.connections = (0..<8).map { load in
                let requests = observation.indices(ofLoad: load)
                for index in requests {
                    (observation.requests[index].connection, observation.requests[index].providerToken) =
                        (load + 1, load + 1)
                }
                let time = observation.requests[requests.first ?? 0].at
                var connection = ProviderConnectionRecord(number: load + 1, openedAt: time, version: .http2)
                connection.requests = requests.count
                connection.tokens = [
                    ProviderTokenUse(
                        number: load + 1,
                        team: "TEAM0",
                        issuedAt: time.advanced(by: 600_000 * (load + 1)),
                        firstUsedAt: time,
                        lastUsedAt: time
                    )
                ]
                return connection
            }
            return observation.request("1-0")?.number
        },
        Self(trial: "first-use-late") { observation in
            for index in observation.indices(ofLoad: 1) { observation.requests[index].providerToken = 2 }
            return observation.request("1-0")?.number
        },
        Self(trial: "token-fleet") { observation in
            for index in observation.requests.indices { observation.requests[index].providerToken = 1 + index % 3 }
            return 3
        },
        Self(trial: "expired-once") { observation in
            let refused = observation.requests.first { $0.reason == .expiredProviderToken }
            observation.requests.removeAll { $0.body == refused?.body && $0.number != refused?.number }
            return refused?.number
        },
        Self(trial: "update-throttle") { observation in
            let last = observation.requests.count - 1
            observation.requests[last].providerToken = 9
            return observation.requests[last].number
        },
        Self(trial: "key-revoked") { observation in
            (1...6).compactMap { observation.repeatRequest("1-0", after: 100 * $0) }.last
        },
        Self(trial: "two-teams") { observation in
            observation.connections[0].tokens += observation.connections[1].tokens
            for index in observation.requests.indices { observation.requests[index].connection = 1 }
            return observation.request("0-1")?.number
        },
        Self(trial: "clock-skew") { observation in
            let repetitions = (1...2).compactMap { time in
                observation.repeatRequest("0-0", after: 100 * time) { $0.providerToken = $0.number + 10 }
            }
            return repetitions.last
        },
    ]

    // MARK: Connections

    private static let connections: [Self] = [
        Self(trial: "first-stream-alone") { observation in
            (observation.requests[1].streamLimit, observation.requests[1].openStreams) = (1, 2)
            return 2
        },
        Self(trial: "stream-limit") { observation in
            let index = observation.requests.firstIndex { $0.streamLimit == 5 } ?? 0
            observation.requests[index].openStreams = 6
            return observation.requests[index].number
        },
        Self(trial: "shrink-to-one") { observation in
            let index = observation.requests.lastIndex { $0.streamLimit == 1 } ?? 0
            observation.requests[index].openStreams = 2
            return observation.requests[index].number
        },
        Self(trial: "goaway-idle") { observation in
            observation.removeRequests(ofLoad: 1)
            return nil
        },
        Self(trial: "goaway-busy") { $0.repeatRequest("1-50", after: 400) },
        Self(trial: "goaway-twice") { observation in
            for index in 2...3 {
                var connection = observation.connections[1]
                connection.number = index + 1
                observation.connections.append(connection)
                observation.requests[observation.requests.count + 1 - index].connection = index + 1
            }
            return observation.requests.first { $0.connection == 4 }?.number
        },
        Self(trial: "blackhole") { observation in
            observation.removeRequests(ofLoad: 1)
            return nil
        },
        Self(trial: "silent-stream") { observation in
            for index in observation.indices(ofLoad: 2) {
                observation.requests[index].at = observation.requests[index].at.advanced(by: 10_000)
            }
            return observation.request("2-0")?.number
        },
        Self(trial: "no-churn") { observation in
            observation.connections = (0..<8).map { load in
                let requests = observation.indices(ofLoad: load)
                for index in requests { observation.requests[index].connection = load + 1 }
                let (first, last) = (requests.first ?? 0, requests.last ?? 0)
                return ProviderConnectionRecord(
                    number: load + 1,
                    openedAt: observation.requests[first].at,
                    closedAt: observation.requests[last].at.advanced(by: 5),
                    version: .http2,
                    requests: requests.count
                )
            }
            return observation.request("3-0")?.number
        },
        Self(trial: "no-churn") { observation in
            // Each message opens a connection, and none is closed.
            for index in observation.requests.indices { observation.requests[index].connection = index + 1 }
            observation.connections = observation.requests.map { request in
                ProviderConnectionRecord(
                    number: request.number,
                    openedAt: request.at,
                    version: .http2,
                    requests: 1
                )
            }
            return observation.request("2-1")?.number
        },
        Self(trial: "trust-change") { observation in
            observation.removeRequests(ofLoad: 2)
            return nil
        },
        Self(trial: "trust-change") { observation in
            // Less than half of the messages arrive.
            observation.removeRequests(ofLoad: 2, from: 9)
            return nil
        },
    ]

    // MARK: Answers

    private static let answers: [Self] = [
        Self(trial: "gone-410") { observation in
            observation.repeatRequest("1-0", after: 5_000) { $0.body = TrialObservation.body("2-0") }
        },
        Self(trial: "gone-but-back") { observation in
            observation.requests.removeAll { $0.body == TrialObservation.body("2-0") }
            return observation.request("1-0")?.number
        },
        Self(trial: "wrong-environment") { observation in
            observation.removeRequests(ofLoad: 2)
            return observation.request("1-0")?.number
        },
        Self(trial: "one-bad-token") { $0.repeatRequest("1-0", after: 200) },
        Self(trial: "not-for-topic") { $0.repeatRequest("1-1", after: 200) },
        Self(trial: "device-429") { observation in
            observation.repeatConstantly((0..<3).map { "1-\($0)" }, times: 6)
        },
        Self(trial: "unavailable-503") { observation in
            observation.requests.removeAll { $0.status == 200 && $0.number > 20 }
            return observation.repeatConstantly((0..<20).map { "1-\($0)" }, times: 6)
        },
        Self(trial: "idle-500") { $0.repeatRequest("1-0", after: 2_000) },
        Self(trial: "unknown-reason") { observation in
            observation.repeatRequest("1-1", after: 5_000) { $0.body = TrialObservation.body("2-1") }
        },
        Self(trial: "unknown-reason") { $0.repeatRequest("2-2", after: 200) },
        Self(trial: "unknown-reason") { observation in
            observation.removeRequests(ofLoad: 3)
            return observation.request("2-2")?.number
        },
        Self(trial: "unknown-reason") { observation in
            // The device token of the message without a body is removed.
            observation.requests.removeAll { $0.body == TrialObservation.body("3-2") }
            return nil
        },
    ]

    // MARK: Messages

    private static let messages: [Self] = [
        Self(trial: "expiration-three") { observation in
            observation.requests[1].headers?["apns-expiration"] = "3600"
            return 2
        },
        Self(trial: "late-answer") { $0.repeatRequest("1-0", after: 10_000) },
        Self(trial: "type-topic-payload") { observation in
            let finding = NotificationFinding(code: .backgroundPriority, severity: .error, message: "use priority 5")
            observation.requests[1].findings = [finding]
            return 2
        },
        Self(trial: "payload-size") { observation in
            observation.requests[1].body = "{\"aps\":{\"alert\":\"\\u20ac"
            (observation.requests[1].status, observation.requests[1].reason) = (413, .payloadTooLarge)
            return 2
        },
        Self(trial: "payload-size") { observation in
            // It thinks that a call may not be larger than an alert.
            observation.requests.removeAll { request in
                [3, 9, 15].contains { request.body == TrialObservation.body("0-\($0)") }
            }
            return nil
        },
        Self(trial: "live-activity-life") { $0.repeatRequest("0-0", after: 5_000) },
    ]
}

extension TrialObservation {
    /// Returns the body of the message with a marker.
    static func body(_ marker: String) -> String {
        "{\"aps\":{},\"marker\":\"\(marker)\"}"
    }

    /// Returns the first request with the message that has a marker.
    func request(_ marker: String) -> ProviderRequestRecord? {
        requests.first { $0.body == Self.body(marker) }
    }

    /// Returns the indices of the requests with messages of a load.
    func indices(ofLoad load: Int) -> [Int] {
        requests.indices.filter { requests[$0].body?.contains("\"marker\":\"\(load)-") == true }
    }

    /// Removes the requests with messages of a load.
    mutating func removeRequests(ofLoad load: Int) {
        requests.removeAll { $0.body?.contains("\"marker\":\"\(load)-") == true }
    }

    /// Removes the requests with messages of a load, except for the first ones.
    mutating func removeRequests(ofLoad load: Int, from index: Int) {
        let bodies = Set((0..<index).map { Self.body("\(load)-\($0)") })
        requests.removeAll { request in
            guard let body = request.body, body.contains("\"marker\":\"\(load)-") else { return false }
            return !bodies.contains(body)
        }
    }

    /// Adds a request that repeats the first one with a marker, with the same answer.
    ///
    /// - Parameters:
    ///   - marker: the marker.
    ///   - milliseconds: the time between the two requests.
    ///   - change: changes the new request.
    /// - Returns: the number of the new request.
    @discardableResult
    mutating func repeatRequest(
        _ marker: String,
        after milliseconds: Int,
        change: (inout ProviderRequestRecord) -> Void = { _ in }
    ) -> Int? {
        guard var request = request(marker) else { return nil }
        request.number = (requests.last?.number ?? 0) + 1
        request.at = request.at.advanced(by: milliseconds)
        if request.answeredAt != nil { request.answeredAt = request.at.advanced(by: 5) }
        change(&request)
        requests.append(request)
        return request.number
    }

    /// Repeats messages every second, and returns the number of the third request with the first one.
    mutating func repeatConstantly(_ markers: [String], times: Int) -> Int? {
        var third: Int?
        for marker in markers {
            for time in 1...times {
                let number = repeatRequest(marker, after: 1_000 * time)
                if marker == markers.first, time == 2 { third = number }
            }
        }
        return third
    }
}
