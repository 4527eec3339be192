import AsyncHTTPClient
import Deflate
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct CourierCompressionTests {
    @Test(arguments: Engine.allCases)
    func everyGroupOfEventsCanBeReadOnArrival(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let response = try await gateway.openCompressed(device)
            #expect(response.headers.first(name: "content-encoding") == "gzip")
            var pieces = response.body.makeAsyncIterator()
            var inflater = Inflater(.gzip)
            var parser = ServerSentEventParser()
            for number in 0..<5 {
                // Each notification is read before the next one is sent: the compressor holds nothing back.
                try await gateway.send(line(device.token, payload: #"{"number":\#(number)}"#))
                var events: [ServerSentEvent] = []
                while events.isEmpty, let piece = try await pieces.next() {
                    var bytes: [UInt8] = []
                    try piece.withUnsafeReadableBytes {
                        _ = try inflater.inflate($0, appendingTo: &bytes, atMost: .max)
                    }
                    events += try parser.parse(bytes)
                }
                #expect(events.first?.data.contains(#"{"number":\#(number)}"#) == true)
            }
            withExtendedLifetime(pieces) {}
        }
    }

    @Test func compressedStreamIsCompleteWhenItEnds() async throws {
        let bytes = try await Engine.memory.run { gateway in
            let device = try await gateway.device()
            let response = try await gateway.openCompressed(device)
            // A second stream replaces the first one and ends it.
            _ = try await gateway.open(device)
            return try await response.body.collect(upTo: 1 << 20)
        }
        let text = String(decoding: try Inflater.inflate(Array(bytes.readableBytesView), as: .gzip), as: UTF8.self)
        #expect(text.contains(#"{"reason":"replaced""#))
    }

    @Test func clientThatDoesNotAcceptGzipGetsPlainText() async throws {
        try await Engine.memory.run { gateway in
            let response = try await gateway.open(try await gateway.device())
            #expect(!response.headers.contains(name: "content-encoding"))
            #expect(response.headers.first(name: "vary") == "accept-encoding")
        }
    }
}

extension RunningGateway {
    /// Opens a device's stream and accepts gzip.
    fileprivate func openCompressed(_ device: DeviceCredential) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: ready.courier + "/v1/events")
        request.headers.add(name: "authorization", value: "Bearer \(device.secret.rawValue)")
        request.headers.add(name: "accept-encoding", value: "gzip, identity;q=0.5")
        return try await http.execute(request, timeout: .seconds(60))
    }
}
