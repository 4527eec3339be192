import AsyncHTTPClient
import Foundation
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

/// Tests of followers, some of which wait for the changes of a thousand notifications.
@Suite(.timeLimit(.minutes(5))) struct NotificationFollowTests {
    @Test(arguments: Engine.allCases) func followerReceivesEveryChangeOfANotification(_ engine: Engine) async throws {
        try await engine.run(losing: false) { gateway in
            let device = try await gateway.device()
            try await gateway.send(line(1, device.token))
            var log = try await gateway.followLog()
            try await gateway.send(line(2, device.token))
            // The follower receives no event for earlier notifications.
            let stored = try #require(try await log.next())
            #expect(stored.number == 2)
            #expect(stored.state == .stored)
            var stream = try await gateway.stream(device)
            let delivered = try await stream.next(2)
            var sent: Set<Int?> = []
            while sent.count < 2 { sent.insert(try await log.next(in: .sent)?.number) }
            #expect(sent == [1, 2])
            _ = try await gateway.acknowledge(.sequences([delivered[0].sequence]), device)
            let acknowledged = try #require(try await log.next(in: .acknowledged))
            #expect(try await gateway.notification(.numbered(1)) == acknowledged)
        }
    }

    @Test(arguments: Engine.allCases) func followerReceivesTheFinalStateOfEachOfAThousandNotifications(
        _ engine: Engine
    ) async throws {
        try await engine.run(losing: false) { gateway in
            let device = try await gateway.device()
            var log = try await gateway.followLog()
            async let delivering: Void = Self.deliver(1...1_000, to: device, gateway)
            var ended: Set<Int> = []
            while ended.count < 1_000, let record = try await log.next() {
                if record.state.isFinal { ended.insert(record.number ?? 0) }
            }
            #expect(ended == Set(1...1_000))
            try await delivering
        }
    }

    /// Sends numbered notifications in batches of 100, and acknowledges each batch in ten steps.
    static func deliver(
        _ numbers: ClosedRange<Int>,
        to device: DeviceCredential,
        _ gateway: RunningGateway
    ) async throws {
        var stream = try await gateway.stream(device)
        for start in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 100) {
            let batch = start...min(start + 99, numbers.upperBound)
            try await gateway.send(batch.map { line($0, device.token) }.joined())
            for _ in 0..<10 {
                let delivered = try await stream.next(batch.count / 10)
                _ = try await gateway.acknowledge(.sequences(delivered.map(\.sequence)), device)
            }
        }
    }

    @Test(arguments: Engine.allCases) func existingRecordsComeFirstOnRequest(_ engine: Engine) async throws {
        try await engine.run(losing: false) { gateway in
            let device = try await gateway.device()
            try await gateway.send((1...1_200).map { line($0, device.token) }.joined() + line(1_201, "00ff"))
            var log = try await gateway.followLog("?since=1h")
            for number in 1...1_201 { #expect(try await log.next()?.number == number) }
            try await gateway.send(line(1_202, device.token))
            #expect(try await log.next()?.number == 1_202)
            var rest = try await gateway.followLog("?after=1200&limit=1")
            for number in 1_201...1_202 { #expect(try await rest.next()?.number == number) }
        }
    }

    @Test func followerReceivesOnlyMatchingRecords() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device(topics: ["a", "b"])
            let other = try await gateway.device(topics: ["a", "b"])
            var log = try await gateway.followLog("?token=\(device.token)&topic=a&state=acknowledged,dropped")
            try await gateway.send(
                line(1, other.token, #""expiration":0,"#, topic: "a") + line(2, device.token, topic: "a")
                    + line(3, device.token, #""expiration":0,"#, topic: "b") + line(4, device.token, topic: "b")
            )
            var stream = try await gateway.stream(device)
            let delivered = try await stream.next(2)
            _ = try await gateway.acknowledge(.sequences(delivered.map(\.sequence)), device)
            #expect(try await log.next()?.number == 2)
            try await gateway.send(line(5, device.token, #""expiration":0,"#, topic: "b") + line(6, "00ff", topic: "a"))
            try await gateway.send(line(7, device.token, topic: "a"))
            _ = try await gateway.acknowledge(.sequences(try await stream.next(2).map(\.sequence)), device)
            #expect(try await log.next()?.number == 7)
        }
    }

    @Test func followerReceivesOnlyRecordsOfItsNamespace() async throws {
        try await RunningGateway.run { gateway in
            let here = try await gateway.device(in: "here")
            let there = try await gateway.device(in: "there")
            var log = try await gateway.followLog(in: "here")
            try await gateway.send(line(1, there.token), in: "there")
            try await gateway.send(line(2, here.token), in: "here")
            #expect(try await log.next()?.number == 2)
        }
    }

    @Test func followingEndsWhenTheNamespaceIsReset() async throws {
        try await RunningGateway.run { gateway in
            var here = try await gateway.followLog(in: "here")
            var there = try await gateway.followLog(in: "there")
            _ = try await gateway.service(.DELETE, "/v1/namespaces/here")
            #expect(try await here.next() == nil)
            let device = try await gateway.device(in: "there")
            try await gateway.send(line(1, device.token), in: "there")
            #expect(try await there.next()?.number == 1)
        }
    }

    @Test(arguments: [StreamEnd.Reason.shuttingDown, .tooSlow, .failed, .reset])
    func lastEventStatesWhyTheStreamEnds(_ reason: StreamEnd.Reason) throws {
        let event = String(buffer: try LogFrame.end(reason))
        #expect(event.hasPrefix("event: end\ndata: {"))
        #expect(event.hasSuffix("}\n\n"))
        let data = try #require(event.split(separator: "\n").last).dropFirst("data: ".count)
        let end = try JSONDecoder().decode(StreamEnd.self, from: Data(data.utf8))
        #expect(end.reason == reason)
        #expect(!end.message.isEmpty)
    }

    @Test func followStreamHasEventStreamHeaders() async throws {
        try await RunningGateway.run { gateway in
            var request = HTTPClientRequest(url: gateway.ready.service + "/v1/notifications")
            request.headers.add(name: "accept", value: "application/json;q=0.5, Text/Event-Stream")
            let response = try await gateway.http.execute(request, timeout: .seconds(60))
            #expect(response.headers.first(name: "content-type") == "text/event-stream")
            #expect(response.headers.first(name: "cache-control") == "no-store")
            var pieces = response.body.makeAsyncIterator()
            let first = try await pieces.next()
            #expect(first.map { String(buffer: $0) } == ": heartbeat\n\n")
        }
    }
}
