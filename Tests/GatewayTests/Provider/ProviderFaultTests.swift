import AsyncHTTPClient
import Foundation
import GatewayTestSupport
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of faults injected into the requests of providers.
@Suite(.timeLimit(.minutes(5))) struct ProviderFaultTests {
    private static let payload = Array(#"{"aps":{"alert":"Honk"}}"#.utf8)

    private static func headers(_ token: DeviceToken, priority: String = "10") -> HPACKHeaders {
        [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": "com.example.clowntown", "apns-push-type": "alert", "apns-priority": priority,
        ]
    }

    private static func add(_ fault: SendFault, _ gateway: RunningGateway) async throws -> ScriptedFault {
        try await gateway.service(.POST, "/v1/faults", fault).decoded()
    }

    // MARK: Kinds of faults

    @Test func nextRequestsGetTheInjectedAnswer() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let other = try await gateway.device()
            let fault = SendFault(token: device.token, kind: .respond, times: 3, reason: .tooManyRequests)
            let scripted = try await Self.add(fault, gateway)
            var client = try await ProviderClient(gateway)
            var statuses: [Int] = []
            for token in [device.token, other.token, device.token, device.token, device.token] {
                let answer = try await client.exchange(Self.headers(token), body: Self.payload)
                statuses.append(answer.status)
                guard answer.status != 200 else { continue }
                #expect(answer.frames == ["headers", "data+end"])
                #expect(answer.body == #"{"reason":"TooManyRequests"}"#)
                #expect(answer.fields["waypost-message"]?.contains(scripted.id.rawValue) == true)
            }
            #expect(statuses == [429, 200, 429, 429, 200])
            #expect(try await gateway.get("/v1/faults", as: [ScriptedFault].self).isEmpty)
            try await client.close()
        }
    }

    @Test(arguments: [(RejectionReason.internalServerError, 500), (.serviceUnavailable, 503), (.shutdown, 503)])
    func serverErrorsCanBeInjected(_ reason: RejectionReason, _ status: Int) async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await Self.add(SendFault(token: device.token, kind: .respond, reason: reason), gateway)
            var client = try await ProviderClient(gateway)
            for _ in 0..<2 {
                let answer = try await client.exchange(Self.headers(device.token), body: Self.payload)
                #expect(answer.status == status)
                #expect(answer.body == #"{"reason":"\#(reason)"}"#)
            }
            try await client.close()
        }
    }

    @Test func injectedAnswerCanHaveItsOwnStatusAndTimestamp() async throws {
        try await RunningGateway.run { gateway in
            let fault = SendFault(
                token: "C0FFEE",
                kind: .respond,
                reason: "ClownOnBreak",
                status: 418,
                timestamp: Timestamp(milliseconds: 17)
            )
            _ = try await Self.add(fault, gateway)
            var client = try await ProviderClient(gateway)
            let answer = try await client.exchange(Self.headers("c0FFee"), body: Self.payload)
            #expect(answer.status == 418)
            #expect(answer.body == #"{"reason":"ClownOnBreak","timestamp":17}"#)
            // The log contains the notification under the identifier from the answer.
            let id = NotificationID(rawValue: try #require(answer.fields["apns-id"]))
            let record = try await gateway.notification(id, "?wait=rejected&timeout=60s")
            #expect(record.reason == "ClownOnBreak")
            try await client.close()
        }
    }

    @Test func injectedStatusWithoutAReasonHasNoBody() async throws {
        try await RunningGateway.run { gateway in
            let fault = SendFault(token: "c0ffee", kind: .respond, times: 2, status: 503)
            let scripted = try await Self.add(fault, gateway)
            var client = try await ProviderClient(gateway)
            let answer = try await client.exchange(Self.headers("c0ffee"), body: Self.payload)
            #expect(answer.status == 503)
            #expect(answer.frames == ["headers+end"])
            #expect(answer.fields["content-type"] == nil)
            #expect(answer.fields["waypost-message"]?.contains(scripted.id.rawValue) == true)
            // The log has the refusal, and no reason.
            let id = NotificationID(rawValue: try #require(answer.fields["apns-id"]))
            let record = try await gateway.notification(id, "?wait=rejected&timeout=60s")
            #expect(record.reason == nil)
            #expect(record.message?.contains(scripted.id.rawValue) == true)
            let requests = try await gateway.get("/v1/sender/requests", as: [ProviderRequestRecord].self)
            #expect(requests.map(\.status) == [503])
            #expect(requests.map(\.fault) == [.respond])
            #expect(requests.map(\.reason) == [nil])
            let series = "waypost_notifications_rejected_total{reason=\"none\"} "
            try await waitUntil("the refusal is counted") { try await Self.scrape(gateway, series) == "1" }
            try await client.close()
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(
                "POST /3/device/c0ffee HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
            )
            let text = await socket.read()
            #expect(text.hasPrefix("HTTP/1.1 503") && text.hasSuffix("\r\n\r\n"), "\(text)")
        }
    }

    @Test func injected410HasTheTimeOfTheGateway() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await Self.add(SendFault(token: device.token, kind: .respond, reason: .unregistered), gateway)
            var client = try await ProviderClient(gateway)
            let answer = try await client.exchange(Self.headers(device.token), body: Self.payload)
            #expect(answer.status == 410)
            #expect(answer.body == #"{"reason":"Unregistered","timestamp":1790000000000}"#)
            try await client.close()
        }
    }

    @Test func resetEndsOnlyItsStream() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await Self.add(SendFault(token: device.token, kind: .reset, times: 1), gateway)
            var client = try await ProviderClient(gateway)
            let answer = try await client.exchange(Self.headers(device.token), body: Self.payload)
            #expect(answer.frames == ["reset 2"])
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
            #expect(try await gateway.notifications("?token=\(device.token)").notifications.count == 1)
            try await client.close()
        }
    }

    @Test func hangingRequestGetsNoAnswerAndOthersDo() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await Self.add(SendFault(token: device.token, kind: .hang, times: 1), gateway)
            var client = try await ProviderClient(gateway)
            let hanging = try await client.send(Self.headers(device.token), body: Self.payload)
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
            #expect(hanging == 1)
            // Shutdown does not wait for the hanging request.
        }
    }

    @Test func delayedAnswerDoesNotDelayOtherRequests() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await Self.add(SendFault(token: device.token, kind: .delay, times: 1, milliseconds: 300), gateway)
            var client = try await ProviderClient(gateway)
            let late = try await client.send(Self.headers(device.token), body: Self.payload)
            let next = try await client.send(Self.headers(device.token), body: Self.payload)
            // The next request does not wait for the delayed one.
            #expect(try ProviderExchange(try await client.answer(on: next)).status == 200)
            #expect(try ProviderExchange(try await client.answer(on: late)).status == 200)
            #expect(try await gateway.notifications("?token=\(device.token)").notifications.count == 2)
            try await client.close()
        }
    }

    @Test(arguments: [(Int?.none, RejectionReason?.none), (2, "BadCertificate")])
    func connectionEndsWithTheInjectedReason(_ frames: Int?, _ reason: RejectionReason?) async throws {
        try await RunningGateway.run { gateway in
            _ = try await Self.add(SendFault(token: "aa", kind: .delay, times: 1, milliseconds: 300), gateway)
            let fault = SendFault(token: "bb", kind: .goAway, times: 1, reason: reason, frames: frames)
            _ = try await Self.add(fault, gateway)
            let behind = try await Self.add(SendFault(token: "cc", kind: .hang, times: 1), gateway)
            var client = try await ProviderClient(gateway)
            // The gateway answers the request before the fault, and ignores the one after it.
            let before = client.send(together: ["aa", "bb", "cc"].map { Self.headers($0) })[0]
            #expect(try ProviderExchange(try await client.answer(on: before)).status == 400)
            let goAways = await client.end().goAways
            #expect(goAways.map(\.last) == Array(repeating: before, count: frames ?? 1))
            #expect(goAways.allSatisfy { $0.body == #"{"reason":"\#(reason ?? "Shutdown")"}"# })
            #expect(try await gateway.get("/v1/faults") == [behind])
        }
    }

    /// A client may resend the requests that GOAWAY does not cover, so it must cover every stored request.
    @Test func goAwayCoversEveryStoredRequest() async throws {
        try await RunningGateway.run { gateway in
            let (device, other) = (try await gateway.device(), try await gateway.device())
            _ = try await Self.add(SendFault(token: device.token, kind: .goAway, times: 1), gateway)
            var client = try await ProviderClient(gateway)
            // The body of the first request arrives after the whole second request.
            let first = try await client.begin(Self.headers(device.token))
            let second = try await client.send(Self.headers(other.token), body: Self.payload)
            #expect(try ProviderExchange(try await client.answer(on: second)).status == 200)
            try await client.finish(first, body: Self.payload)
            #expect(try ProviderExchange(try await client.answer(on: first)).frames == ["reset 7"])
            #expect(await client.end().goAways.map(\.last) == [second])
        }
    }

    @Test func clientThatDisconnectsBeforeALateAnswerLeavesNothing() async throws {
        try await RunningGateway.run { gateway in
            let fault = SendFault(token: "c0ffee", kind: .delay, times: 2, milliseconds: 600_000)
            _ = try await Self.add(fault, gateway)
            var client = try await ProviderClient(gateway)
            _ = try await client.send(Self.headers("c0ffee"), body: Self.payload)
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send("POST /3/device/c0ffee HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
            try await Self.waitUntilFaultsAreUsed(gateway)
            #expect(try await Self.scrape(gateway, "waypost_provider_faults_total{kind=\"delay\"} ") == "2")
            #expect(try await Self.scrape(gateway, "waypost_provider_connections_open{protocol=\"h2\"} ") == "1")
            try await client.close()
            _ = consume socket
            for name in ["h2", "http/1.1"] {
                let gauge = "waypost_provider_connections_open{protocol=\"\(name)\"} "
                try await waitUntil("the connection is closed") { try await Self.scrape(gateway, gauge) == "0" }
            }
        }
    }

    /// Waits until requests have met all faults.
    private static func waitUntilFaultsAreUsed(_ gateway: RunningGateway) async throws {
        try await waitUntil("all faults are used") {
            try await gateway.get("/v1/faults", as: [ScriptedFault].self).isEmpty
        }
    }

    /// Returns the value of a series in `/metrics`.
    private static func scrape(_ gateway: RunningGateway, _ series: String) async throws -> String? {
        let text = String(decoding: try await gateway.service(.GET, "/metrics").body, as: UTF8.self)
        return text.split(separator: "\n").first { $0.hasPrefix(series) }.map { String($0.dropFirst(series.count)) }
    }

    @Test func throttledConnectionHasOneStreamUntilTheNextAcceptance() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            _ = try await Self.add(SendFault(token: device.token, kind: .throttle), gateway)
            var client = try await ProviderClient(gateway)
            for (priority, status) in [("7", 400), ("10", 200), ("10", 200)] {
                let headers = Self.headers(device.token, priority: priority)
                #expect(try await client.exchange(headers, body: Self.payload).status == status)
            }
            _ = try await gateway.service(.DELETE, "/v1/faults")
            #expect(
                try await client.exchange(Self.headers(device.token, priority: "7"), body: Self.payload).status == 400
            )
            #expect(client.connectionFrames.compactMap(\.concurrentStreams) == [1_000, 1, 1_000])
            try await client.close()
        }
    }

    @Test(arguments: [SendFault.Kind.reset, .goAway]) func http1ConnectionIsClosed(
        _ kind: SendFault.Kind
    ) async throws {
        try await RunningGateway.run { gateway in
            _ = try await Self.add(SendFault(token: "c0ffee", kind: kind), gateway)
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send("POST /3/device/c0ffee HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
            await socket.waitForHangUp()
        }
    }

    @Test func http1AnswerCanBeDelayed() async throws {
        try await RunningGateway.run { gateway in
            _ = try await Self.add(SendFault(token: "c0ffee", kind: .delay, times: 1, milliseconds: 100), gateway)
            _ = try await Self.add(SendFault(token: "c0ffee", kind: .hang, times: 1), gateway)
            let socket = try RawSocket(port: try gateway.providerPort)
            socket.send(
                "POST /3/device/c0ffee HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
            )
            #expect(await socket.read().hasPrefix("HTTP/1.1 400"))
            // This request gets no answer, and shutdown does not wait for it.
            let other = try RawSocket(port: try gateway.providerPort)
            other.send("POST /3/device/c0ffee HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
            try await Self.waitUntilFaultsAreUsed(gateway)
        }
    }

    // MARK: The list of faults

    @Test func faultsAreListedInOrderAndCanBeRemoved() async throws {
        try await RunningGateway.run { gateway in
            let kinds: [SendFault.Kind] = [.reset, .hang, .throttle]
            var faults: [ScriptedFault] = []
            for kind in kinds {
                let token: DeviceToken = kind == .hang ? "aa" : "bb"
                faults.append(try await Self.add(SendFault(token: token, kind: kind, times: 2), gateway))
            }
            #expect(try await gateway.get("/v1/faults") == faults)
            #expect(try await gateway.get("/v1/faults", in: "elsewhere", as: [ScriptedFault].self).isEmpty)
            #expect(try await gateway.service(.DELETE, "/v1/faults/\(faults[1].id)").status == 204)
            let gone = try await gateway.service(.DELETE, "/v1/faults/\(faults[1].id)")
            #expect(gone.status == 404)
            let error: APIErrorBody = try gone.decoded()
            #expect(error.error.code == "unknownFault")
            #expect(try await gateway.get("/v1/faults") == [faults[0], faults[2]])
            _ = try await gateway.service(.DELETE, "/v1/namespaces/default")
            #expect(try await gateway.get("/v1/faults", as: [ScriptedFault].self).isEmpty)
        }
    }

    @Test(arguments: [
        (SendFault(token: "00ff", kind: .respond), "reason"), (SendFault(token: "00ff", kind: .delay), "milliseconds"),
        (SendFault(token: "00ff", kind: .respond), "or a status"),
        (SendFault(kind: .respond, status: 410, timestamp: Timestamp(milliseconds: 1)), "timestamp"),
        (SendFault(token: "00ff", kind: .hang, times: 0), "times"),
        (SendFault(token: "00ff", kind: .hang, reason: "x"), "reason"),
        (SendFault(token: "00ff", kind: .respond, reason: "x", status: 200), "status"),
        (SendFault(token: "00ff", kind: .goAway, frames: 3), "frames"),
        (SendFault(token: "00ff", kind: .throttle, streams: 0), "streams"),
        (SendFault(token: "00ff", kind: .delay, milliseconds: 600_001), "milliseconds"),
        (SendFault(token: "00ff", kind: .reset, timestamp: Timestamp(milliseconds: 1)), "timestamp"),
        (SendFault(token: "0", kind: .reset), "token"), (SendFault(token: "", kind: .reset), "token"),
        (SendFault(kind: .hang, probability: 1.5), "probability"), (SendFault(kind: .hang, pattern: "-"), "pattern"),
    ])
    func invalidFaultIsRefused(_ fault: SendFault, _ name: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.POST, "/v1/faults", fault)
            #expect(answer.status == 400)
            let error: APIErrorBody = try answer.decoded()
            #expect(error.error.message.contains(name), "\(error)")
            #expect(try await gateway.get("/v1/faults", as: [ScriptedFault].self).isEmpty)
        }
    }
}

extension HTTP2Frame.FramePayload {
    /// The number of concurrent streams that a SETTINGS frame allows.
    var concurrentStreams: Int? {
        guard case .settings(.settings(let settings)) = self else { return nil }
        return settings.last { $0.parameter == .maxConcurrentStreams }?.value
    }
}
