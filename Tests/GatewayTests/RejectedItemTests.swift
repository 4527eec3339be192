import GatewayTestSupport
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct RejectedItemTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var reason: RejectionReason
        var field: String?
        var status = 400
        var item: @Sendable (DeviceToken) -> String
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "not JSON", reason: .badRequestPayload) { _ in "{nonsense\n" },
        Case(name: "not an object", reason: .badRequestPayload) { _ in "7\n" },
        Case(name: "number as a topic", reason: .badRequestPayload, field: "topic") {
            #"{"token":"\#($0)","topic":1,"payload":{}}"# + "\n"
        },
        Case(name: "no token", reason: .missingDeviceToken, field: "token") { _ in
            #"{"topic":"com.example.clowntown","payload":{}}"# + "\n"
        },
        Case(name: "empty token", reason: .missingDeviceToken, field: "token") { _ in line("") },
        Case(name: "no topic", reason: .missingTopic, field: "topic") { #"{"token":"\#($0)","payload":{}}"# + "\n" },
        Case(name: "no payload", reason: .payloadEmpty, field: "payload") {
            #"{"token":"\#($0)","topic":"com.example.clowntown"}"# + "\n"
        },
        Case(name: "token that is not hexadecimal", reason: .badDeviceToken, field: "token") { _ in line("iPad") },
        Case(name: "unknown token", reason: .badDeviceToken, field: "token") { _ in line("00ff") },
        Case(name: "other topic", reason: .deviceTokenNotForTopic, field: "topic") {
            #"{"token":"\#($0)","topic":"com.example.other","payload":{}}"# + "\n"
        },
        Case(name: "push type", reason: .invalidPushType, field: "pushType") { line($0, #""pushType":"hologram","#) },
        Case(name: "priority", reason: .badPriority, field: "priority") { line($0, #""priority":7,"#) },
        Case(name: "expiration", reason: .badExpirationDate, field: "expiration") { line($0, #""expiration":-1,"#) },
        Case(name: "collapse identifier", reason: .badCollapseId, field: "collapseID") {
            line($0, #""collapseID":"\#(String(repeating: "é", count: 33))","#)
        },
        Case(name: "identifier", reason: .badMessageId, field: "id") { line($0, #""id":"crusty","#) },
        Case(name: "payload over 4,096 bytes", reason: .payloadTooLarge, field: "payload", status: 413) {
            line($0, payload: payload(bytes: 4_097))
        },
        Case(name: "voip payload over 5,120 bytes", reason: .payloadTooLarge, field: "payload", status: 413) {
            line($0, #""pushType":"voip","#, topic: "com.example.clowntown.voip", payload: payload(bytes: 5_121))
        },
        Case(name: "topic that is not a bundle identifier", reason: .badTopic, field: "topic") {
            line($0, topic: "clown town")
        },
        Case(name: "topic without the suffix of its push type", reason: .deviceTokenNotForTopic, field: "topic") {
            line($0, #""pushType":"voip","#)
        },
    ]

    /// Returns a payload of exactly `bytes` bytes.
    static func payload(bytes: Int) -> String {
        #"{"aps":{"alert":""# + String(repeating: "x", count: bytes - 20) + #""}}"#
    }

    @Test(arguments: cases) func badItemIsRejectedAndTheOthersAreAccepted(_ example: Case) async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let body = line(token) + "\n" + example.item(token) + line(token)
            let answer = try await gateway.batch(Array(body.utf8))
            #expect(answer.status == 200)
            let receipt = try answer.decoded(as: BatchReceipt.self)
            #expect(receipt.accepted == 2)
            let result = try #require(receipt.results.first)
            #expect(receipt.results.count == 1)
            #expect(result.index == 1)
            #expect(result.line == 3)
            #expect(result.reason == example.reason)
            #expect(result.field == example.field)
            #expect(result.status == example.status)
            #expect(result.message?.isEmpty == false)
        }
    }

    @Test func limitsAreInclusive() async throws {
        try await RunningGateway.run { gateway in
            let voip: Topic = "com.example.clowntown.voip"
            let token = try await gateway.device(topics: ["com.example.clowntown", voip]).token
            let body =
                line(token, payload: Self.payload(bytes: 4_096))
                + line(token, #""pushType":"voip","#, topic: voip, payload: Self.payload(bytes: 5_120))
                + line(token, #""collapseID":"\#(String(repeating: "é", count: 32))","#)
            let receipt = try await gateway.batch(Array(body.utf8)).decoded(as: BatchReceipt.self)
            #expect(receipt.accepted == 3)
        }
    }

    @Test func offsetOfAnUnreadableItemCountsFromTheStartOfTheBody() async throws {
        try await RunningGateway.run { gateway in
            let good = line(try await gateway.device().token)
            let receipt = try await gateway.batch(Array((good + #"{"token":x}"#).utf8)).decoded(as: BatchReceipt.self)
            #expect(receipt.results.first?.offset == good.utf8.count + 9)
            #expect(receipt.results.first?.message?.contains("column 10 of line 2") == true)
        }
    }
}
