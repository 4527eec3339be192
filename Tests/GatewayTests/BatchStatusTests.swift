import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct BatchStatusTests {
    @Test(arguments: Engine.allCases) func unacknowledgedNotificationsAreSentUntilTheirStreamCloses(
        _ engine: Engine
    ) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let items = String(repeating: line(device.token), count: 3)
            let receipt = try await gateway.send(items)
            #expect(try await gateway.status(of: receipt.id).states == [.stored: 3])
            try await Self.acknowledgeOne(ofThree: receipt.id, device, gateway)
            try await gateway.wait(for: [.stored: 2, .acknowledged: 1], of: receipt.id)
            #expect(try await gateway.inbox(of: device).count == 2)
        }
    }

    /// Opens a stream, reads three notifications, acknowledges one and closes the stream.
    static func acknowledgeOne(
        ofThree batch: BatchID,
        _ device: DeviceCredential,
        _ gateway: RunningGateway
    ) async throws {
        var stream = try await gateway.stream(device)
        let delivered = try await stream.next(3)
        #expect(try await gateway.status(of: batch).states == [.sent: 3])
        #expect(try await gateway.acknowledge(.sequences([delivered[1].sequence]), device).acknowledged == 1)
        #expect(try await gateway.status(of: batch).states == [.sent: 2, .acknowledged: 1])
    }

    @Test(arguments: Engine.allCases) func everyItemOfABatchIsCounted(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let leaving = try await gateway.device()
            let receipt = try await gateway.send(
                line(device.token) + line(leaving.token) + line(device.token, #""collapseID":"c","#)
                    + line(device.token, #""collapseID":"c","#) + line(device.token, #""expiration":0,"#)
                    + line(device.token, #""expiration":1,"#) + "nonsense\n" + line("00ff")
            )
            _ = try await gateway.service(.DELETE, "/v1/devices/\(leaving.token)")
            let status = try await gateway.status(of: receipt.id)
            #expect(status.phase == .committed)
            #expect(status.accepted == 6)
            #expect(status.rejected == 2)
            #expect(
                status.states == [.stored: 2, .unregistered: 1, .collapsed: 1, .dropped: 1, .expired: 1]
            )
            #expect(status.results == nil)
        }
    }

    @Test(arguments: Engine.allCases) func batchWithAKeyKeepsItsRejections(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let token = try await gateway.device().token
            let body = Array((line(token) + "nonsense\n" + line("00ff")).utf8)
            let receipt = try await gateway.batch(body, headers: [("idempotency-key", "k")])
                .decoded(as: BatchReceipt.self)
            #expect(receipt.results.count == 2)
            #expect(try await gateway.status(of: receipt.id).results == receipt.results)
        }
    }

    @Test(arguments: Engine.allCases) func batchWithoutAcceptedItemsIsSettled(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let receipt = try await gateway.send("nonsense\n")
            let status = try await gateway.settledStatus(of: receipt.id)
            #expect(status.states.isEmpty)
            #expect(status.accepted == 0)
            #expect(status.rejected == 1)
        }
    }
}
