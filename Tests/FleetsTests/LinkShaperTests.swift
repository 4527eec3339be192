import GatewayClient
import Testing

@testable import Fleets

@Suite struct LinkShaperTests {
    private static func shaper(_ link: FleetGroup.Link) throws -> LinkShaper {
        try #require(LinkShaper(link, random: SeededRandom(seed: 1)))
    }

    @Test func linkThatDoesNothingHasNoShaper() {
        #expect(LinkShaper(FleetGroup.Link(), random: SeededRandom(seed: 1)) == nil)
    }

    @Test func delayMovesAllBytes() throws {
        var shaper = try Self.shaper(FleetGroup.Link(delay: 100))
        #expect(shaper.arrivalTime(ofBytes: 10, at: 0) == 100)
        #expect(shaper.arrivalTime(ofBytes: 1_000_000, at: 1) == 101)
    }

    @Test func bandwidthSpreadsBytesOverTime() throws {
        var shaper = try Self.shaper(FleetGroup.Link(bandwidth: 1_000))
        #expect(shaper.arrivalTime(ofBytes: 500, at: 0) == 500_000)
        #expect(shaper.arrivalTime(ofBytes: 500, at: 0) == 1_000_000)
        // An idle link saves nothing up.
        #expect(shaper.arrivalTime(ofBytes: 500, at: 5_000_000) == 5_500_000)
    }

    @Test func lostSegmentsArriveAfterARetransmission() throws {
        var shaper = try Self.shaper(FleetGroup.Link(delay: 300_000, loss: 1))
        #expect(shaper.arrivalTime(ofBytes: 1_448, at: 0) == 900_000)
        var short = try Self.shaper(FleetGroup.Link(loss: 1))
        #expect(short.arrivalTime(ofBytes: 1_449, at: 0) == 400_000)
    }

    @Test(arguments: 1...20) func lossHasItsShareAndNothingOvertakes(_ seed: Int) throws {
        let link = FleetGroup.Link(delay: 50, loss: 0.02)
        var shaper = try #require(LinkShaper(link, random: SeededRandom(seed: seed)))
        var last = 0
        var late = 0
        for number in 0..<20_000 {
            let now = number * 1_000_000
            let arrival = shaper.arrivalTime(ofBytes: 1_000, at: now)
            #expect(arrival >= last)
            last = arrival
            if arrival - now > 50 { late += 1 }
        }
        #expect((300...500).contains(late))
    }
}
