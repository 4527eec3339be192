import Deflate
import Foundation
import Gateway
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct AllResultsTests {
    @Test(
        arguments: [
            ("gzip", true), ("GZIP", true), ("deflate, gzip;q=0.5", true), ("gzip ; q=1", true), ("gzip;q=0", false),
            ("gzip; q=0.0", false), ("br, gzip;q=0.000", false), ("br", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func largeAnswerIsCompressedIfTheClientAcceptsGzip(_ accepted: String?, _ isCompressed: Bool) async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let body = Array(String(repeating: line(token), count: 100).utf8)
            let headers = accepted.map { [("accept-encoding", $0)] } ?? []
            let answer = try await gateway.batch(body, query: "?results=all", headers: headers)
            #expect(answer.headers.first(name: "content-encoding") == (isCompressed ? "gzip" : nil))
            let json = isCompressed ? try Inflater.inflate(answer.body, as: .gzip) : answer.body
            #expect(!isCompressed || answer.headers.first(name: "vary") == "Accept-Encoding")
            let receipt = try JSONDecoder().decode(BatchReceipt.self, from: Data(json))
            #expect(receipt.results.map(\.index) == Array(0..<100))
            #expect(receipt.results.map(\.line) == Array(1...100))
            #expect(Set(receipt.results.map(\.id)).count == 100)
        }
    }

    @Test(arguments: [256, 257, 1_000], [false, true])
    func longAnswerHasAllResults(_ count: Int, _ isCompressed: Bool) async throws {
        try await RunningGateway.run { gateway in
            let headers = isCompressed ? [("accept-encoding", "gzip")] : []
            let answer = try await gateway.batch(
                Array(String(repeating: "{}\n", count: count).utf8),
                headers: headers
            )
            #expect(answer.headers.first(name: "content-encoding") == (isCompressed ? "gzip" : nil))
            // The length of an answer that is written piece by piece is not known before.
            #expect((answer.headers.first(name: "content-length") != nil) == (count <= 256))
            let json = isCompressed ? try Inflater.inflate(answer.body, as: .gzip) : answer.body
            let receipt = try JSONDecoder().decode(BatchReceipt.self, from: Data(json))
            #expect(receipt.rejected == count)
            #expect(receipt.results.map(\.index) == Array(0..<count))
            #expect(json.last == UInt8(ascii: "\n"))
        }
    }

    @Test func smallAnswerIsNotCompressed() async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.batch(Array(line("00").utf8), headers: [("accept-encoding", "gzip")])
            #expect(!answer.headers.contains(name: "content-encoding"))
            #expect(try answer.decoded(as: BatchReceipt.self).rejected == 1)
        }
    }

    @Test(arguments: [false, true]) func tooLongItemIsRejectedAlone(_ isArray: Bool) async throws {
        var configuration = GatewayConfiguration.forTests
        let token: DeviceToken = "c0ffee"
        let item = line(token).dropLast()
        configuration.batchLimits.itemSize = item.utf8.count
        try await RunningGateway.run(configuration) { gateway in
            _ = try await gateway.device(token: token)
            let items = [
                String(item), line(token, " ").dropLast() + "", String(item), String(repeating: "x", count: 900),
            ]
            let lines = items.joined(separator: "\n")
            // Invalid JSON would make the gateway refuse the whole array.
            let array = "[" + items.dropLast().joined(separator: ",") + "]"
            let receipt = try await gateway.send(isArray ? array : lines, query: "?results=all")
            #expect(receipt.results.map(\.status) == [200, 413, 200] + (isArray ? [] : [413]))
            #expect(receipt.results[1].reason == .payloadTooLarge)
            #expect(receipt.accepted == 2)
        }
    }
}
