import Deflate
import Fleets
import JSONScanning
import Testing
import WaypostSchema

@testable import LoadTesting

@Suite struct LoadTrafficTests {
    private static func traffic(
        devices: Int = 10,
        itemsPerRequest: Int = 50,
        _ change: (inout LoadTraffic.Settings) -> Void = { _ in }
    ) -> LoadTraffic {
        var settings = LoadTraffic.Settings()
        change(&settings)
        let tokens = (0..<devices).map { DeviceToken(rawValue: "c0ffee\($0 + 10)") }
        return LoadTraffic(settings, tokens: tokens, itemsPerRequest: itemsPerRequest, seed: 1, run: 0xABCD)
    }

    /// The items of a request.
    private static func items(_ traffic: LoadTraffic, ofRequest request: Int) throws -> [BatchItem] {
        try traffic.batchBody(ofRequest: request, at: 1_000).split(separator: UInt8(ascii: "\n")).map { line in
            try DocumentDecoder.decode(BatchItem.self, from: line)
        }
    }

    @Test func everyItemIsOneOfASchema() throws {
        let traffic = Self.traffic { settings in
            settings.targetContentIdentifiers = ["a", "\"b\"/"]
            settings.collapseIdentifierCount = 3
            settings.expirations = WeightedChoice(.after(60))
        }
        let items = try Self.items(traffic, ofRequest: 0) + Self.items(traffic, ofRequest: 1)
        #expect(items.count == 100)
        #expect(Set(items.map(\.id)).count == 100)
        #expect(items.map { $0.id.flatMap(traffic.identifiers.number) } == Array(0..<100))
        #expect(Set(items.map(\.token)).count == 10)
        #expect(Set(items.compactMap(\.collapseID)).count == 3)
        #expect(items.allSatisfy { $0.expiration == 1_060 })
        #expect(items[1].payload["aps"]?["target-content-id"] == .string("\"b\"/"))
    }

    @Test(arguments: [60, 200, 1_000, 4_096, 50_000]) func payloadHasItsSize(_ size: Int) {
        let traffic = Self.traffic(itemsPerRequest: 3) { $0.payloadSizes = WeightedChoice(size) }
        let text = String(
            decoding: traffic.batchBody(ofRequest: 5, at: 1_000),
            as: UTF8.self
        )
        for line in text.split(separator: "\n") {
            let payload = line.firstRange(of: "\"payload\":").map { line[$0.upperBound...].dropLast() }
            #expect(payload?.utf8.count == size)
        }
    }

    @Test func sameSeedMakesTheSameBodies() {
        #expect(Self.traffic().batchBody(ofRequest: 3, at: 1_000) == Self.traffic().batchBody(ofRequest: 3, at: 1_000))
        #expect(Self.traffic().batchBody(ofRequest: 3, at: 1_000) != Self.traffic().batchBody(ofRequest: 4, at: 1_000))
    }

    @Test func identifiersContainTheNumber() {
        let identifiers = RunItemIdentifiers(run: 7)
        for number in [0, 1, 255, 1 << 20, (1 << 47) + 5] {
            #expect(identifiers.number(of: identifiers.identifier(number)) == number)
        }
        #expect(identifiers.identifier(255) == "00000007-0000-8000-8000-0000000000ff")
        #expect(RunItemIdentifiers(run: 8).number(of: identifiers.identifier(1)) == nil)
        #expect(identifiers.number(of: "9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11") == nil)
        #expect(identifiers.number(of: "") == nil)
    }

    @Test func zipfGivesTheFirstRankItsShare() {
        let traffic = Self.traffic(devices: 100) { $0.zipfExponent = 1 }
        let counts = (0..<20_000).reduce(into: [Int](repeating: 0, count: 100)) { counts, number in
            if case .device(let device) = traffic.destination(of: number) { counts[device] += 1 }
        }
        let harmonic = (1...100).reduce(0) { $0 + 1 / Double($1) }
        for rank in [1, 2, 10] {
            let expected = 20_000 / Double(rank) / harmonic
            #expect(abs(Double(counts[rank - 1]) - expected) < 0.15 * expected)
        }
        let even = Self.traffic(devices: 100)
        let shares = (0..<20_000).reduce(into: [Int](repeating: 0, count: 100)) { counts, number in
            if case .device(let device) = even.destination(of: number) { counts[device] += 1 }
        }
        #expect(shares.allSatisfy { (120...290).contains($0) })
    }

    @Test func badTokensHaveTheirShare() throws {
        let traffic = Self.traffic(itemsPerRequest: 2_000) { $0.badTokenShare = 0.1 }
        let bad = try Self.items(traffic, ofRequest: 0).enumerated().filter { $1.token == "bad0" }.map(\.offset)
        #expect((140...260).contains(bad.count))
        #expect(bad == (0..<2_000).filter { traffic.destination(of: $0) == .badToken })
    }

    @Test(arguments: ["gzip", "deflate"]) func codedBodyInflatesToTheItems(_ name: String) throws {
        let body = Self.traffic().batchBody(ofRequest: 0, at: 1_000)
        let coding = try #require(BatchCoding(name, level: 1))
        let coded = coding.encode(body)
        #expect(coded.count < body.count / 2)
        #expect(try Inflater.inflate(coded, as: name == "gzip" ? .gzip : .zlib) == body)
        #expect(BatchCoding("none", level: 1)?.encode(body) == body)
        #expect(BatchCoding("br", level: 1) == nil)
    }

    @Test func devicesGetItemsInTurn() throws {
        let traffic = Self.traffic(devices: 7, itemsPerRequest: 21) { $0.isRoundRobin = true }
        let tokens = try Self.items(traffic, ofRequest: 1).map(\.token)
        #expect(tokens == (21..<42).map { DeviceToken(rawValue: "c0ffee\($0 % 7 + 10)") })
    }

    @Test func sharedPayloadIsTheSameForAllItems() throws {
        let traffic = Self.traffic { $0.isPayloadShared = true }
        let payloads = try Self.items(traffic, ofRequest: 0) + Self.items(traffic, ofRequest: 9)
        #expect(payloads.allSatisfy { $0.payload == payloads[0].payload })
        #expect(Set(payloads.map(\.id)).count == 100)
    }

    @Test func valuesHaveTheirShares() throws {
        let types = try WeightedChoice("alert:75%,background:25%", hint: "") { PushType(rawValue: $0) }
        let expirations = try WeightedChoice("none:90%,now:10%", hint: "") { text -> LoadTraffic.Expiration? in
            text == "none" ? LoadTraffic.Expiration.none : .now
        }
        let traffic = Self.traffic(itemsPerRequest: 4_000) { ($0.pushTypes, $0.expirations) = (types, expirations) }
        let items = try Self.items(traffic, ofRequest: 0)
        let background = items.filter { $0.pushType == .background }
        #expect((850...1_150).contains(background.count))
        #expect(background.allSatisfy { $0.priority == 5 && $0.payload["aps"]?["content-available"] == .integer(1) })
        #expect(background.allSatisfy { $0.payload["aps"]?["alert"] == nil })
        #expect((300...500).contains(items.count { $0.expiration == 0 }))
        #expect(Set(items.map(\.expiration)) == [nil, 0])
    }
}
