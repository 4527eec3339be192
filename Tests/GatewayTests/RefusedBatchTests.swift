import Deflate
import Gateway
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@Suite(.timeLimit(.minutes(5))) struct RefusedBatchTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var coding: String?
        var query = ""
        var header: (String, String)?
        var status: UInt
        var code: APIError.Code
        var line: Int?
        var offset: Int?
        var body: @Sendable () -> [UInt8]
        var testDescription: String { name }
    }

    static let whole = Deflater.deflate(Array("{}\n".utf8), as: .gzip)

    static let cases = [
        Case(name: "corrupt", coding: "gzip", status: 400, code: "corruptEncoding", offset: 2) {
            Array("this is not gzip".utf8)
        },
        Case(name: "wrong checksum", coding: "gzip", status: 400, code: "corruptEncoding", offset: whole.count) {
            whole.dropLast() + [whole[whole.count - 1] ^ 0xFF]
        },
        Case(name: "truncated", coding: "gzip", status: 400, code: "truncatedEncoding", offset: whole.count - 3) {
            whole.dropLast(3)
        },
        Case(name: "empty", coding: "gzip", status: 400, code: "truncatedEncoding", offset: 0) { [] },
        Case(name: "trailing", coding: "gzip", status: 400, code: "trailingInput", offset: whole.count) {
            whole + [0]
        },
        Case(name: "two codings", coding: "gzip, gzip", status: 415, code: "unsupportedCoding") { whole },
        Case(name: "unknown coding", coding: "br", status: 415, code: "unsupportedCoding") { whole },
        Case(name: "no items", status: 400, code: "malformedBody") { [] },
        Case(name: "blank lines", status: 400, code: "malformedBody") { Array("\n \n".utf8) },
        Case(name: "broken array", status: 400, code: "malformedBody", line: 2, offset: 3) { Array("[\n{]".utf8) },
        Case(name: "results", query: "?results=some", status: 400, code: "badParameter") { Array("{}".utf8) },
        Case(name: "key", header: ("idempotency-key", "a b"), status: 400, code: "badParameter") { Array("{}".utf8) },
        Case(name: "atomic", query: "?atomic=1", status: 400, code: "badParameter") { Array("{}".utf8) },
        Case(name: "namespace", header: ("x-waypost-namespace", "a b"), status: 400, code: "badParameter") {
            Array("{}".utf8)
        },
        Case(name: "a bad item in an atomic batch", query: "?atomic=true", status: 422, code: "batchRefused", line: 2) {
            Array("\n{}".utf8)
        },
        Case(name: "too large", status: 413, code: "bodyTooLarge") { Array(repeating: 0x20, count: 200_001) },
        Case(name: "inflates too large", coding: "gzip", status: 413, code: "bodyTooLarge") {
            // Numbers compress too poorly to look like a decompression bomb.
            Deflater.deflate(Array((0..<70_000).map { "\($0)\n" }.joined().utf8), as: .gzip)
        },
        Case(name: "bomb", coding: "gzip", status: 413, code: "ratioLimit") {
            Deflater.deflate(Array(repeating: 0, count: 300_001), as: .gzip)
        },
        Case(name: "too many items", status: 413, code: "tooManyItems", line: 11) {
            Array(String(repeating: "{}\n", count: 11).utf8)
        },
    ]

    static var limits: GatewayConfiguration {
        var configuration = GatewayConfiguration.forTests
        configuration.batchLimits.bodySize = 200_000
        configuration.batchLimits.inflation = InflationLimits(
            maximumOutput: 400_000,
            maximumRatio: 400,
            ratioExemptOutput: 250_000
        )
        configuration.batchLimits.items = 10
        return configuration
    }

    @Test(arguments: cases) func wholeBatchIsRefusedWithThePlaceOfTheError(_ example: Case) async throws {
        try await RunningGateway.run(Self.limits) { gateway in
            let headers = [example.coding.map { ("content-encoding", $0) }, example.header].compactMap(\.self)
            let path = "/v1/batches" + example.query
            let answer = try await gateway.service(.POST, path, headers: headers, body: example.body())
            #expect(answer.status == example.status)
            let error = try answer.error
            #expect(error.code == example.code)
            #expect(error.line == example.line)
            #expect(error.offset == example.offset)
            #expect(!error.message.isEmpty)
        }
    }
}
