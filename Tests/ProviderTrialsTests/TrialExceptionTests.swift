import Testing
import WaypostSchema

@testable import ProviderTrials

/// Behavior that looks wrong, and is not, or shows nothing.
@Suite struct TrialExceptionTests {
    private static func verdict(
        on name: String,
        _ change: (inout TrialObservation) -> Void
    ) throws -> TrialVerdict {
        let trial = try #require(ProviderTrial.all.first { $0.name == name })
        var observation = ExampleRun.observation(of: trial)
        change(&observation)
        return trial.verdict(on: observation)
    }

    private static func summaryIfPassed(_ verdict: TrialVerdict) -> String? {
        if case .passed(let summary, _) = verdict { summary } else { nil }
    }

    private static func summaryIfNotShown(_ verdict: TrialVerdict) -> String? {
        if case .notShown(let summary) = verdict { summary } else { nil }
    }

    // MARK: Provider tokens

    @Test func certificateShowsNothingAboutProviderTokens() throws {
        let verdict = try Self.verdict(on: "token-reuse") { observation in
            for index in observation.requests.indices { observation.requests[index].providerToken = nil }
        }
        #expect(
            Self.summaryIfNotShown(verdict) == "no request has a provider token; the provider may use a certificate"
        )
    }

    @Test(arguments: ["token-refresh", "first-use-late"])
    func clockThatDidNotMoveShowsNothing(_ name: String) throws {
        let verdict = try Self.verdict(on: name) { observation in
            // The provider sees no reason to sign another token.
            for index in observation.requests.indices { observation.requests[index].providerToken = 1 }
            observation.connections[0].tokens[0].issuedAt = observation.requests[0].at
        }
        #expect(
            Self.summaryIfNotShown(verdict)
                == "the provider's clock did not move: it signed a token with the real time"
        )
    }

    @Test func raceOfTwoProcessesAtTheStartIsAccepted() throws {
        let verdict = try Self.verdict(on: "token-fleet") { $0.requests[1].providerToken = 2 }
        #expect(Self.summaryIfPassed(verdict) == "2 provider tokens of 3 processes")
    }

    @Test func processThatSendsNothingShowsNothing() throws {
        let verdict = try Self.verdict(on: "token-fleet") { observation in
            observation.requests.removeAll { $0.number % 3 == 0 }
        }
        #expect(Self.summaryIfNotShown(verdict) == "process 3 of 3 sent none of its messages")
    }

    @Test func newTokenMayBeRefusedOnAnotherConnection() throws {
        let verdict = try Self.verdict(on: "expired-once") { observation in
            let last = observation.requests.count - 1
            (observation.requests[last].status, observation.requests[last].reason) = (429, .tooManyProviderTokenUpdates)
        }
        #expect(Self.summaryIfPassed(verdict) == "a new provider token after 10 ms, and every message once")
    }

    // MARK: Connections

    @Test func streamsBeforeTheSettingsShowNothing() throws {
        let verdict = try Self.verdict(on: "first-stream-alone") { observation in
            for index in 0..<10 { observation.requests[index].streamLimit = nil }
        }
        #expect(
            Self.summaryIfNotShown(verdict) == "the provider opened its streams before it had read the limit of 1"
        )
    }

    @Test func sequentialProviderShowsNothingAboutStreams() throws {
        let verdict = try Self.verdict(on: "first-stream-alone") { observation in
            for index in observation.requests.indices { observation.requests[index].openStreams = 1 }
            observation.connections[0].highestStreams = 1
        }
        #expect(
            Self.summaryIfNotShown(verdict) == "the provider never had two open streams, so the limit did not matter"
        )
    }

    @Test func providerThatIsStillSendingIsNotBlamed() throws {
        let verdict = try Self.verdict(on: "first-stream-alone") { observation in
            observation.requests.removeLast(50)
            observation.endedAt = observation.requests[149].at.advanced(by: 100)
        }
        #expect(
            Self.summaryIfNotShown(verdict)
                == "the provider was still sending at the end: 150 of 200 messages arrived"
        )
    }

    @Test func messagesThatNeverArriveAreCounted() throws {
        let verdict = try Self.verdict(on: "first-stream-alone") { $0.requests.removeLast(50) }
        guard case .failed(let summary, let figures, nil) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(summary == "50 of 200 messages never arrived, the first is 0-150")
        #expect(figures["lost"] == 50)
    }

    @Test func poolOfConnectionsIsNoChurn() throws {
        let verdict = try Self.verdict(on: "no-churn") { observation in
            let connection = observation.connections[0]
            observation.connections = (1...5).map { number in
                var connection = connection
                connection.number = number
                return connection
            }
            for index in observation.requests.indices { observation.requests[index].connection = 1 + index % 5 }
        }
        #expect(Self.summaryIfPassed(verdict) == "5 connections for 8 loads, 0 of them after load 2")
    }

    @Test func slowProviderMayFillItsPoolLater() throws {
        let verdict = try Self.verdict(on: "no-churn") { observation in
            let start = observation.requests[20].at
            for index in 1...4 {
                observation.connections.append(
                    ProviderConnectionRecord(number: index + 1, openedAt: start, version: .http2, requests: 1)
                )
                observation.requests[10 + index].connection = index + 1
            }
        }
        #expect(Self.summaryIfPassed(verdict) == "5 connections for 8 loads, 0 of them after load 2")
    }

    @Test func lostConnectionMayBeReplaced() throws {
        let verdict = try Self.verdict(on: "no-churn") { observation in
            let time = observation.requests[40].at
            observation.connections[0].closedAt = time
            let requests = observation.requests.count - 40
            observation.connections.append(
                ProviderConnectionRecord(number: 2, openedAt: time, version: .http2, requests: requests)
            )
            for index in 40..<observation.requests.count { observation.requests[index].connection = 2 }
        }
        #expect(Self.summaryIfPassed(verdict) == "2 connections for 8 loads, 1 of them after load 2")
    }

    @Test(arguments: ["shrink-to-one", "goaway-twice"])
    func providerWithAConnectionForEachMessageIsJudgedForThatOnly(_ name: String) throws {
        let verdict = try Self.verdict(on: name) { observation in
            for index in observation.requests.indices { observation.requests[index].connection = index + 1 }
            let template = observation.connections[0]
            observation.connections = observation.requests.map { request in
                var connection = template
                (connection.number, connection.openedAt, connection.requests) = (request.number, request.at, 1)
                return connection
            }
        }
        let summary = try #require(Self.summaryIfNotShown(verdict), "\(verdict)")
        #expect(summary.hasSuffix("see no-churn"))
    }

    @Test func providerThatNeverConnectsAgainShowsNothingAboutItsTrust() throws {
        let verdict = try Self.verdict(on: "trust-change") { observation in
            for load in 1...2 { observation.removeRequests(ofLoad: load) }
        }
        #expect(
            Self.summaryIfNotShown(verdict)
                == "no message arrived after the gateway had started again with the same authority"
        )
    }

    @Test func messagesThatAreLostWithTheirConnectionSayNothingAboutTrust() throws {
        let verdict = try Self.verdict(on: "trust-change") { observation in
            observation.requests.removeAll { $0.body == TrialObservation.body("2-3") }
        }
        #expect(Self.summaryIfPassed(verdict) != nil, "\(verdict)")
    }

    /// The control is the load after the restart with the same authority.
    @Test func lossAfterAnotherCertificateIsComparedWithTheControl() throws {
        for (control, arrived, passes) in [(20, 9, false), (20, 10, true), (12, 1, false), (11, 1, true)] {
            let verdict = try Self.verdict(on: "trust-change") { observation in
                observation.removeRequests(ofLoad: 1, from: control)
                observation.removeRequests(ofLoad: 2, from: arrived)
            }
            #expect((Self.summaryIfPassed(verdict) != nil) == passes, "\(control) \(arrived) \(verdict)")
        }
    }

    @Test func slowProviderShowsNothingAboutItsTrust() throws {
        let verdict = try Self.verdict(on: "trust-change") { observation in
            observation.removeRequests(ofLoad: 2, from: 3)
            if let last = observation.requests.indices.last { observation.requests[last].at = observation.endedAt }
        }
        #expect(
            Self.summaryIfNotShown(verdict) == "the provider was still sending at the end: 17 of 20 messages missing"
        )
    }

    @Test func twoLateLoadsMustArrive() throws {
        let verdict = try Self.verdict(on: "no-churn") { observation in
            for load in 3..<8 { observation.removeRequests(ofLoad: load) }
        }
        #expect(Self.summaryIfNotShown(verdict) == "the gateway got messages of 3 loads only")
    }

    @Test(arguments: ["silent-stream", "device-429"])
    func pauseOfAProviderIsNotADelay(_ name: String) throws {
        for (pause, firstPause, passes) in [(4, 0, true), (12, 0, false), (12, 5, true)] {
            let verdict = try Self.verdict(on: name) { observation in
                observation.requests[10].at = observation.requests[10].at.advanced(by: firstPause * 1_000)
                for index in observation.indices(ofLoad: 2) {
                    observation.requests[index].at = observation.requests[index].at.advanced(by: pause * 1_000)
                }
            }
            #expect((Self.summaryIfPassed(verdict) != nil) == passes, "\(verdict)")
        }
    }

    // MARK: Answers

    @Test func providerThatRepeatsWithoutAPauseFailsAlthoughItsFirstLoadIsNotListed() throws {
        let verdict = try Self.verdict(on: "key-revoked") { observation in
            guard let request = observation.request("1-0") else { return }
            observation.requests = (501...1_000).map { number in
                var request = request
                request.number = number
                return request
            }
        }
        guard case .failed(let summary, let figures, let request) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(summary == "1000 requests for 40 messages: the provider repeats without a pause")
        #expect(figures["requests"] == 1_000)
        #expect(request?.number == 501)
    }

    @Test(arguments: ["gone-but-back", "wrong-environment", "not-for-topic"])
    func tokenMayGetItsMessageLater(_ name: String) throws {
        let verdict = try Self.verdict(on: name) { observation in
            observation.requests.removeAll { $0.body == TrialObservation.body("2-0") }
            let last = observation.requests[observation.requests.count - 1]
            observation.endedAt = last.at.advanced(by: 500)
        }
        #expect(
            Self.summaryIfNotShown(verdict)
                == "the provider was still sending at the end: 1 device token had got no message"
        )
    }

    @Test func messageBeforeTheAnswerIsReadDoesNotCount() throws {
        let verdict = try Self.verdict(on: "gone-410") { observation in
            for load in 2...3 {
                observation.repeatRequest("1-0", after: 200) { $0.body = TrialObservation.body("\(load)-0") }
            }
        }
        #expect(Self.summaryIfPassed(verdict) == "0 requests to 5 device tokens after a 410")
    }

    @Test func messagesThatAreAllSentAtOnceShowNothing() throws {
        let verdict = try Self.verdict(on: "gone-410") { observation in
            let time = observation.requests[20].at.advanced(by: 300)
            for load in 2...3 {
                for index in observation.indices(ofLoad: load) { observation.requests[index].at = time }
            }
        }
        #expect(
            Self.summaryIfNotShown(verdict) == "the provider sent all messages at once, so it had not read the 410"
        )
    }

    @Test func growingIntervalsAreAccepted() throws {
        let verdict = try Self.verdict(on: "device-429") { observation in
            for marker in ["1-0", "1-1", "1-2"] {
                for seconds in [1, 3, 7, 15, 31] { observation.repeatRequest(marker, after: seconds * 1_000) }
            }
        }
        #expect(Self.summaryIfPassed(verdict) == "at most 6 tries for a limited device, and others did not wait")
    }

    @Test func triesAtOnceAreTooMany() throws {
        let verdict = try Self.verdict(on: "device-429") { observation in
            for marker in ["1-0", "1-1", "1-2"] {
                for time in 1...3 { observation.repeatRequest(marker, after: time * 20) }
            }
        }
        guard case .failed(let summary, _, _) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(
            summary == "4 tries of a message, whose intervals do not grow; the last ones are 20 ms, 20 ms, 20 ms"
        )
    }

    @Test func messagesThatAreGivenUpAreReported() throws {
        let verdict = try Self.verdict(on: "unavailable-503") { observation in
            observation.requests.removeAll { $0.status == 200 && $0.number > 20 }
        }
        guard case .failed(let summary, _, let request) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(summary == "20 of 20 messages were given up after 503")
        #expect(request?.status == 503)
    }

    // MARK: Messages

    @Test(arguments: [("same", true), ("", false), (String(repeating: "é", count: 33), false)])
    func repetitionNeedsTheSameCollapseIdentifier(_ identifier: String, passes: Bool) throws {
        let verdict = try Self.verdict(on: "late-answer") { observation in
            for index in observation.requests.indices {
                observation.requests[index].headers?["apns-collapse-id"] = identifier
            }
            observation.repeatRequest("1-0", after: 10_000)
        }
        #expect((Self.summaryIfPassed(verdict) != nil) == passes, "\(verdict)")
    }

    @Test func providerWithoutCallsIsJudgedByItsAlerts() throws {
        let verdict = try Self.verdict(on: "payload-size") { observation in
            observation.requests.removeAll { request in
                [3, 5, 9, 11, 15, 17].contains { request.body == TrialObservation.body("0-\($0)") }
            }
        }
        #expect(
            Self.summaryIfPassed(verdict) == "payloads of 4,096 bytes arrived, and larger ones were not repeated"
        )
    }

    @Test func clientThatSendsNothingAfterAnUnknownReasonIsNamedForThat() throws {
        let verdict = try Self.verdict(on: "unknown-reason") { observation in
            observation.removeRequests(ofLoad: 2)
            observation.removeRequests(ofLoad: 3)
        }
        guard case .failed(let summary, _, _) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(summary == "no message arrived after an unknown reason")
    }

    @Test func oversizedPayloadMayBeRefusedOnce() throws {
        for (marker, times, passes) in [("0-1", 1, true), ("0-1", 2, false), ("0-4", 1, true), ("0-4", 2, false)] {
            let verdict = try Self.verdict(on: "payload-size") { observation in
                for time in 1...times {
                    observation.repeatRequest("0-0", after: time) { request in
                        request.body = TrialObservation.body(marker)
                        (request.status, request.reason) = (413, .payloadTooLarge)
                    }
                }
            }
            #expect((Self.summaryIfPassed(verdict) != nil) == passes, "\(verdict)")
        }
    }
}
