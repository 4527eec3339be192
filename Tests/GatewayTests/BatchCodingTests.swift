import Deflate
import GatewayTestSupport
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct BatchCodingTests {
    struct Coding: CustomTestStringConvertible, Sendable {
        var header: String?
        var format: DeflateFormat?
        var testDescription: String { "\(header ?? "none") carrying \(format?.rawValue ?? "nothing")" }

        func encode(_ body: String) -> [UInt8] {
            format.map { Deflater.deflate(Array(body.utf8), as: $0) } ?? Array(body.utf8)
        }
    }

    static let codings = [
        Coding(), Coding(header: "identity"), Coding(header: "gzip", format: .gzip),
        Coding(header: "x-gzip", format: .gzip), Coding(header: "GZIP", format: .gzip),
        Coding(header: "deflate", format: .zlib), Coding(header: "deflate", format: .raw),
    ]

    @Test(arguments: codings) func linesAndArraysAreAcceptedInEveryCoding(_ coding: Coding) async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let lines = line(token) + "\n" + line(token)
            let array = "[\n\(line(token)),\(line(token))]"
            for body in [lines, array] {
                let answer = try await gateway.batch(coding.encode(body), coding: coding.header)
                #expect(answer.status == 200)
                let receipt = try answer.decoded(as: BatchReceipt.self)
                #expect(receipt.accepted == 2)
                #expect(receipt.rejected == 0)
                #expect(receipt.results.isEmpty)
                #expect(receipt.durability == .memory)
            }
        }
    }

    @Test func membersOfAGzipBodyFormOneBatch() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let member = Deflater.deflate(Array(line(token).utf8), as: .gzip)
            let receipt = try await gateway.batch(member + member + member, coding: "gzip")
                .decoded(as: BatchReceipt.self)
            #expect(receipt.accepted == 3)
        }
    }

    @Test func allResultsAreReturnedInInputOrderOnRequest() async throws {
        try await RunningGateway.run { gateway in
            let token = try await gateway.device().token
            let id = #""id":"123e4567-e89b-42d3-a456-426614174000","#
            let body = line(token, id) + "nonsense\n" + line(token)
            let receipt = try await gateway.batch(Array(body.utf8), query: "?results=all")
                .decoded(as: BatchReceipt.self)
            #expect(receipt.results.map(\.status) == [200, 400, 200])
            #expect(receipt.results.map(\.line) == [1, 2, 3])
            #expect(receipt.results[0].id == "123e4567-e89b-42d3-a456-426614174000")
            #expect(receipt.results[2].id?.rawValue.count == 36)
        }
    }
}
