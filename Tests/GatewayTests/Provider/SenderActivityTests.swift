import Testing
import WaypostSchema

@testable import Gateway

/// Tests of the report about providers, as a value.
@Suite struct SenderActivityTests {
    /// A change to the value.
    enum Step: Sendable {
        /// A request arrives when the gateway has given `arrival` answers.
        case request(DeviceToken?, arrival: Int)

        /// The gateway gives its answer with the number `moment`.
        case answer(Int, DeviceToken?, at: Int)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var steps: [Step]
        var report: SenderReport

        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "nothing", steps: [], report: SenderReport()),
        Case(
            name: "an accepted request",
            steps: [.request("aa", arrival: 0), .answer(200, "aa", at: 1)],
            report: SenderReport(connections: 1, requests: 1, answers: ["200": 1])
        ),
        Case(
            name: "a request without an answer",
            steps: [.request("aa", arrival: 0)],
            report: SenderReport(connections: 1, requests: 1)
        ),
        Case(
            name: "a retry after 429",
            steps: [
                .request("aa", arrival: 0), .answer(429, "aa", at: 1), .request("aa", arrival: 1),
                .answer(200, "aa", at: 2),
            ],
            report: SenderReport(
                connections: 1,
                requests: 2,
                answers: ["200": 1, "429": 1],
                throttled: 1,
                retriedAfterThrottling: 1
            )
        ),
        Case(
            name: "several retries, which count once",
            steps: [
                .request("aa", arrival: 0), .answer(429, "aa", at: 1), .request("aa", arrival: 1),
                .answer(429, "aa", at: 2), .request("aa", arrival: 2), .answer(200, "aa", at: 3),
            ],
            report: SenderReport(
                connections: 1,
                requests: 3,
                answers: ["200": 1, "429": 2],
                throttled: 1,
                retriedAfterThrottling: 1
            )
        ),
        Case(
            name: "a request that arrived before the 429 of another",
            steps: [
                .request("aa", arrival: 0), .answer(429, "aa", at: 1), .request("aa", arrival: 0),
                .answer(429, "aa", at: 2),
            ],
            report: SenderReport(connections: 1, requests: 2, answers: ["429": 2], throttled: 1)
        ),
        Case(
            name: "a request for another device after 429",
            steps: [
                .request("aa", arrival: 0), .answer(429, "aa", at: 1), .request("bb", arrival: 1),
                .answer(200, "bb", at: 2),
            ],
            report: SenderReport(connections: 1, requests: 2, answers: ["200": 1, "429": 1], throttled: 1)
        ),
        Case(
            name: "requests after 410",
            steps: [
                .request("aa", arrival: 0), .answer(410, "aa", at: 1), .request("aa", arrival: 1),
                .answer(410, "aa", at: 2), .request("aa", arrival: 2),
            ],
            report: SenderReport(
                connections: 1,
                requests: 3,
                answers: ["410": 2],
                unregistered: 1,
                sentAfterUnregistered: 2
            )
        ),
        Case(
            name: "410 after 429",
            steps: [
                .request("aa", arrival: 0), .answer(429, "aa", at: 1), .request("aa", arrival: 1),
                .answer(410, "aa", at: 2),
            ],
            report: SenderReport(
                connections: 1,
                requests: 2,
                answers: ["410": 1, "429": 1],
                throttled: 1,
                retriedAfterThrottling: 1,
                unregistered: 1
            )
        ),
        Case(
            name: "a late 410, after the answers to others",
            steps: [
                .request("aa", arrival: 0), .request("aa", arrival: 0), .answer(200, "aa", at: 1),
                .request("aa", arrival: 1), .answer(410, "aa", at: 2), .request("aa", arrival: 2),
            ],
            report: SenderReport(
                connections: 1,
                requests: 4,
                answers: ["200": 1, "410": 1],
                unregistered: 1,
                sentAfterUnregistered: 1
            )
        ),
        Case(
            name: "no valid device token",
            steps: [.request(nil, arrival: 0), .answer(429, nil, at: 1), .request(nil, arrival: 1)],
            report: SenderReport(connections: 1, requests: 2, answers: ["429": 1])
        ),
    ]

    @Test(arguments: cases) func stepsLeadToTheReport(_ example: Case) {
        var activity = SenderActivity()
        for step in example.steps {
            switch step {
            case .request(let token, let arrival):
                activity.recordRequest(SentRequest(connectionNumber: 1, responseCountAtArrival: arrival), for: token)
            case .answer(let status, let token, let moment): activity.recordResponse(status, for: token, at: moment)
            }
        }
        #expect(activity.report == example.report)
    }

    @Test func connectionsAndProviderTokensCountOnce() {
        var activity = SenderActivity()
        for number in 0..<12 {
            let request = SentRequest(
                connectionNumber: number % 3,
                providerToken: SentProviderToken("\(number % 2)"),
                responseCountAtArrival: 0
            )
            activity.recordRequest(request, for: "aa")
        }
        #expect(activity.report == SenderReport(connections: 3, requests: 12, providerTokens: 2))
    }

    @Test func memoryIsBounded() {
        var activity = SenderActivity(capacity: 2)
        for number in 0..<5 {
            let token = DeviceToken(rawValue: "0\(number)")
            let providerToken = SentProviderToken("\(number)")
            let request = SentRequest(
                connectionNumber: number,
                providerToken: providerToken,
                responseCountAtArrival: 0
            )
            activity.recordRequest(request, for: token)
            activity.recordResponse(429, for: token, at: number + 1)
        }
        // A remembered device still counts.
        activity.recordRequest(SentRequest(connectionNumber: 0, responseCountAtArrival: 5), for: "00")
        activity.recordResponse(410, for: "00", at: 6)
        let expected = SenderReport(
            connections: 2,
            requests: 6,
            providerTokens: 2,
            answers: ["410": 1, "429": 5],
            throttled: 2,
            retriedAfterThrottling: 1,
            unregistered: 1
        )
        #expect(activity.report == expected)
    }

    // MARK: Provider tokens

    @Test func senderHasTheDigestOfItsProviderToken() {
        var sender = ProviderSender(ProviderAuthentication(.none), connectionNumber: 7)
        let headers = ["bearer one", "bearer one", "Bearer one", "bearer two", "bearer one", "Basic one", "bearer"]
        let digests = headers.map { sender.providerToken(in: $0)?.digest }
        let (one, two) = (ProviderTokenDigest(of: "one"), ProviderTokenDigest(of: "two"))
        #expect(digests == [one, one, one, two, one, nil, nil])
        let none = sender.providerToken(in: nil)
        #expect(none == nil)
    }

    @Test(arguments: [
        ("/3/device/00ff", true), ("/3/device/", true), ("/3/device", true), ("/3/devices", false),
        ("/4/broadcasts/apps/com.example.clowntown", false), ("/1/apps/com.example.clowntown/channels", false),
    ])
    func onlyRequestsForDevicesAreRecorded(_ path: String, _ isRecorded: Bool) {
        var sender = ProviderSender(ProviderAuthentication(.none), connectionNumber: 7)
        let request = ProviderRequest(method: "POST", path: path, responseCountAtArrival: 3)
        let sent = sender.makeSentRequest(from: request)
        #expect(sent == (isRecorded ? SentRequest(connectionNumber: 7, responseCountAtArrival: 3) : nil))
    }
}
