import Foundation
import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// The table of push types through the provider API, batches and the check of payloads.
@Suite(.timeLimit(.minutes(5))) struct PushTypeTests {
    private static let app: Topic = "com.example.clowntown"
    private static let pass: Topic = "pass.com.example.circus"
    private static let mdm: Topic = "com.apple.mgmt.External.11111111-2222-3333-4444-555555555555"

    /// The time of the gateways of these tests.
    private static let now = GatewaySources.forTests().now()

    /// A request, which is sent to the provider API and as an item of a batch.
    private struct Request {
        var pushType: PushType
        var topic: Topic
        var priority = 10
        var payload: [UInt8]

        func headers(_ token: DeviceToken, _ id: String) -> HPACKHeaders {
            [
                ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost", "apns-id": id,
                "apns-topic": topic.rawValue, "apns-push-type": pushType.rawValue, "apns-priority": "\(priority)",
                "apns-expiration": "0",
            ]
        }

        func item(_ token: DeviceToken, _ id: String) -> String {
            #"{"token":"\#(token)","topic":"\#(topic)","pushType":"\#(pushType)","priority":\#(priority),"id":"\#(id)","#
                + #""expiration":0,"payload":\#(String(decoding: payload, as: UTF8.self))}"#
        }
    }

    /// The answer to a request: its reason, and the findings in the log.
    private struct Answer: Equatable {
        var reason: String?
        var findings: [NotificationFinding.Code] = []
    }

    /// A device with an app for all push types, and the ways to send to it.
    private struct Sender: ~Copyable {
        let gateway: RunningGateway
        let token: DeviceToken
        var client: ProviderClient
        var count = 0

        init(_ gateway: RunningGateway) async throws {
            let suffixed = PushTypeContract.all.compactMap(\.topicSuffix).map { Topic(rawValue: app.rawValue + $0) }
            let device = try await gateway.device(topics: [app, pass, mdm] + suffixed)
            let client = try await ProviderClient(gateway)
            self.gateway = gateway
            token = device.token
            self.client = client
        }

        /// Sends a request in both ways, and returns the answer, which must be the same.
        mutating func answer(to request: Request) async throws -> Answer {
            count += 1
            let ids = (0..<2).map { String(format: "00000000-0000-4000-8000-%06d%06d", $0, count) }
            let exchange = try await client.exchange(request.headers(token, ids[0]), body: request.payload)
            let body = try? JSONDecoder().decode([String: String].self, from: Data(exchange.body.utf8))
            let receipt = try await gateway.send(request.item(token, ids[1]) + "\n", query: "?results=all")
            let single = try await answer(body?["reason"], ids[0])
            let batched = try await answer(receipt.results.first?.reason?.rawValue, ids[1])
            #expect(single == batched, "\(request)")
            let codes = exchange.fields["waypost-findings"]?.split(separator: ", ").map(String.init) ?? []
            let reported = receipt.findings?.map(\.code.rawValue) ?? []
            if single.reason == nil { #expect(Set(codes) == Set(reported), "\(request)") }
            return single
        }

        private func answer(_ reason: String?, _ id: String) async throws -> Answer {
            guard reason == nil else { return Answer(reason: reason) }
            let record = try await gateway.notification(NotificationID(rawValue: id))
            // The token is for all topics, which is not the subject here.
            let codes = record.findings?.map(\.code).filter { $0 != .sharedToken }
            return Answer(reason: nil, findings: codes ?? [])
        }
    }

    /// Runs a gateway, and passes a sender to `body`.
    private static func run(_ body: @escaping @Sendable (inout Sender) async throws -> Void) async throws {
        try await RunningGateway.run { gateway in
            var sender = try await Sender(gateway)
            try await body(&sender)
            try await sender.client.close()
        }
    }

    private static func topic(of row: PushTypeContract) -> Topic {
        switch row.topic.value {
        case .bundleIdentifier: app
        case .suffix(let suffix): Topic(rawValue: app.rawValue + suffix)
        case .prefix: row.pushType == nil ? pass : mdm
        }
    }

    /// Returns the findings about a payload of a request that arrives now.
    private static func findings(_ request: Request) throws -> [NotificationFinding.Code] {
        let context = PayloadCheck.Context(
            pushType: request.pushType,
            topic: request.topic,
            priority: request.priority,
            size: request.payload.count,
            now: now
        )
        return try PayloadCheck.findings(in: request.payload, context).map(\.finding.code)
    }

    // MARK: The topic

    @Test func topicAndPushTypeAreComparedInBothDirections() async throws {
        try await Self.run { sender in
            for row in PushTypeContract.all {
                guard let pushType = row.pushType else { continue }
                for other in PushTypeContract.all where other.pushType != "mdm" && other.pushType != nil {
                    let request = Request(
                        pushType: pushType,
                        topic: Self.topic(of: other),
                        priority: 5,
                        payload: Array(#"{"aps":{}}"#.utf8)
                    )
                    let answer = try await sender.answer(to: request)
                    let note = Comment(rawValue: "\(pushType) to \(request.topic)")
                    switch (row.topicSuffix, other.topicSuffix) {
                    case (let own, let suffix) where own == suffix:
                        #expect(answer.reason == nil, note)
                        #expect(answer.findings.contains(.mdmTopic) == (pushType == "mdm"), note)
                    case (.some, nil): #expect(answer.reason == "DeviceTokenNotForTopic", note)
                    case (.some, .some): #expect(answer.reason == "InvalidPushType", note)
                    case (nil, _) where other.pushType == "voip": #expect(answer.reason == "InvalidPushType", note)
                    case (nil, _) where pushType == "mdm": #expect(answer.findings.contains(.mdmTopic), note)
                    case (nil, _): #expect(answer.findings.contains(.topicOfOtherPushType), note)
                    }
                }
            }
        }
    }

    @Test func requestWithoutAPushTypeReachesEveryTopic() async throws {
        try await Self.run { sender in
            for row in PushTypeContract.all {
                var headers = Request(pushType: .alert, topic: Self.topic(of: row), payload: []).headers(
                    sender.token,
                    ""
                )
                headers.remove(name: "apns-push-type")
                headers.remove(name: "apns-id")
                let answer = try await sender.client.exchange(headers, body: Array(#"{"aps":{"badge":1}}"#.utf8))
                #expect(answer.status == 200, "\(row.name): \(answer.body)")
                #expect(answer.fields["waypost-findings"]?.contains("topicOfOtherPushType") == false, "\(row.name)")
            }
        }
    }

    /// A bundle identifier may end like the topic of a push type.
    @Test func appWhoseNameEndsInASuffixGetsAlerts() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device(topics: ["com.example.voip"]).token
            let receipt = try await gateway.send(line(token, #""pushType":"alert","#, topic: "com.example.voip"))
            #expect(receipt.accepted == 1)
            #expect(receipt.findings?.map(\.code) == [.topicOfOtherPushType])
        }
    }

    /// A strict gateway refuses other push types at the topics of all types, if the device has the app.
    @Test(
        arguments: [
            (["com.example.voip"], "com.example.voip", 200),
            (["com.example.a", "com.example.a.complication"], "com.example.a.complication", 400),
        ] as [([Topic], Topic, Int)]
    )
    func strictGatewayComparesTopicsOfTheDevice(_ topics: [Topic], topic: Topic, status: Int) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.isStrict = true
        try await RunningGateway.run(configuration) { gateway in
            let token = try await gateway.device(topics: topics).token
            var client = try await ProviderClient(gateway)
            var headers = Request(pushType: .alert, topic: topic, payload: []).headers(token, "")
            headers.remove(name: "apns-id")
            let answer = try await client.exchange(headers, body: Array(#"{"aps":{"alert":"Honk"}}"#.utf8))
            #expect(answer.status == status, "\(answer.body)")
            try await client.close()
        }
    }

    /// The devices of Waypost send messages to each other as items without `aps`.
    @Test func messagesOfWaypostHaveNoFindings() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device(topics: [.messages]).token
            let payload = #"{"message":{"text":"Hi"}}"#
            let receipt = try await gateway.send(line(token, topic: .messages, payload: payload))
            #expect(receipt.accepted == 1)
            #expect(receipt.findings == nil)
            #expect(try await gateway.notifications().notifications.first?.findings == nil)
        }
    }

    @Test func batchNamesTheFieldAndTheTypeOfASuffixedTopic() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device(topics: ["com.example.a", "com.example.a.voip"]).token
            let caller = #"{"caller":"Bubbles"}"#
            let receipt = try await gateway.send(
                line(token, #""pushType":"alert","#, topic: "com.example.a.voip")
                    + line(token, topic: "com.example.a.voip", payload: caller)
            )
            #expect(receipt.results.map(\.field) == ["pushType"])
            #expect(receipt.findings?.map(\.code) == [.missingPushType])
            let record = try await gateway.notifications().notifications.first { $0.state != .rejected }
            #expect(record?.findings?.map(\.code) == [.missingPushType, .sharedToken, .missingExpiration])
        }
    }

    // MARK: Sizes and priorities

    private static func payload(of size: Int) -> [UInt8] {
        let start = #"{"aps":{},"a":""#
        return Array((start + String(repeating: "x", count: size - start.utf8.count - 2) + "\"}").utf8)
    }

    @Test func everyPushTypeHasItsSize() async throws {
        try await Self.run { sender in
            for row in PushTypeContract.all {
                var request = Request(
                    pushType: row.pushType ?? .alert,
                    topic: Self.topic(of: row),
                    priority: 5,
                    payload: Self.payload(of: row.maximumSize.value)
                )
                let accepted = try await sender.answer(to: request)
                #expect(accepted.reason == nil, "\(row.name)")
                request.payload = Self.payload(of: row.maximumSize.value + 1)
                let refused = try await sender.answer(to: request)
                #expect(refused.reason == "PayloadTooLarge", "\(row.name)")
            }
        }
    }

    @Test func everyPushTypeAcceptsTheThreePriorities() async throws {
        try await Self.run { sender in
            for row in PushTypeContract.all {
                for priority in [10, 5, 1, 7] {
                    let request = Request(
                        pushType: row.pushType ?? .alert,
                        topic: Self.topic(of: row),
                        priority: priority,
                        payload: Array(#"{"aps":{"content-available":1}}"#.utf8)
                    )
                    let answer = try await sender.answer(to: request)
                    #expect(answer.reason == (priority == 7 ? "BadPriority" : nil), "\(row.name) \(priority)")
                    let isWrong = row.pushType == .background && priority == 10
                    #expect(answer.findings.contains(.backgroundPriority) == isWrong, "\(row.name) \(priority)")
                }
            }
        }
    }

    // MARK: The payload

    /// A payload of the vectors, as far as it matters here.
    private struct Vector: Decodable {
        var pushType: PushType
        var topic: Topic?
        var priority: Int?
        var payload: JSONValue
    }

    @Test func everyPayloadHasTheSameFindingsEverywhere() async throws {
        let lines = try Repository.lines(of: Repository.vectors.appending(path: "push-types/payloads.jsonl"))
        try await Self.run { sender in
            for line in lines {
                let vector = try JSONDecoder().decode(Vector.self, from: Data(line.utf8))
                let row = try #require(vector.pushType.contract)
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                let request = Request(
                    pushType: vector.pushType,
                    topic: vector.topic ?? Self.topic(of: row),
                    priority: vector.priority ?? (row.pushType == .background ? 5 : 10),
                    payload: Array(try encoder.encode(vector.payload))
                )
                let answer = try await sender.answer(to: request)
                #expect(try answer.findings == Self.findings(request), "\(line)")
                let path = "/v1/payloads/check?pushType=\(vector.pushType)"
                let report: PayloadReport = try await sender.gateway.service(.POST, path, body: request.payload)
                    .decoded()
                let context = PayloadCheck.Context(pushType: request.pushType, size: request.payload.count)
                let expected = try PayloadCheck.findings(in: request.payload, context).map(\.finding.code.rawValue)
                #expect(report.findings.map(\.code) == expected, "\(line)")
                #expect(report.reason == nil, "\(line)")
            }
        }
    }

    /// The mistakes are those that an engineer of a back end makes on the first day.
    @Test func batchAnswersWithTheSentence() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let receipt = try await gateway.send(
                line(token, payload: #"{"aps":{"content-available":1}}"#)
                    + line(token, #""expiration":1790003600000,"#) + line(token)
                    + line(token, payload: #"{"aps":{"alert":"Honk","content_available":1}}"#)
            )
            #expect(receipt.accepted == 4)
            #expect(receipt.findings?.map(\.line) == [1, 2, 4])
            let messages = receipt.findings?.map(\.message) ?? []
            for (message, part) in zip(
                messages,
                [
                    "push type background and priority 5", "in seconds it is 1790003600",
                    "did you mean 'content-available'?",
                ]
            ) { #expect(message.contains(part)) }
        }
    }
}
