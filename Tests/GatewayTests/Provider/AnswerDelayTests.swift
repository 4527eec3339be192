import GatewayTestSupport
import NIOCore
import NIOHPACK
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct AnswerDelayTests {
    @Test func distributionHasItsPercentiles() {
        let delay = AnswerDelay.distribution(median: 40, percentile99: 200)
        var random = SeededGenerator(seed: 7)
        let times = (0..<10_000)
            .map { _ in delay.next { count in (0..<count).map { _ in random.next() } } }
            .sorted()
        // With this number, the percentiles of different seeds differ by about 2 % and 5 %.
        #expect((TimeAmount.milliseconds(36)...(.milliseconds(44))).contains(times[5_000]), "\(times[5_000])")
        #expect((TimeAmount.milliseconds(160)...(.milliseconds(250))).contains(times[9_900]), "\(times[9_900])")
        #expect(times.allSatisfy { $0 > .zero })
    }

    @Test func fixedDelayAndEqualPercentilesAreTheSameForAllAnswers() {
        for bytes in [UInt8.min, .max] {
            let random = { [UInt8](repeating: bytes, count: $0) }
            #expect(AnswerDelay.fixed(40).next(randomBytes: random) == .milliseconds(40))
            let constant = AnswerDelay.distribution(median: 40, percentile99: 40)
            #expect(constant.next(randomBytes: random) == .milliseconds(40))
            let wide = AnswerDelay.distribution(median: 1, percentile99: 60_000).next(randomBytes: random)
            #expect((.zero...TimeAmount.minutes(1)).contains(wide))
        }
    }

    private static func headers(_ token: DeviceToken) -> HPACKHeaders {
        [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": "com.example.clowntown", "apns-push-type": "alert",
        ]
    }

    private static let payload = Array(#"{"aps":{"alert":"Honk"}}"#.utf8)

    @Test func injectedDelayReplacesTheUsualOne() async throws {
        var configuration = GatewayConfiguration.forTests
        // A test with this delay would end by its time limit.
        configuration.answerDelay = .fixed(3_600_000)
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device()
            let fault = SendFault(token: device.token, kind: .delay, milliseconds: 1)
            #expect(try await gateway.service(.POST, "/v1/faults", fault).status == 201)
            var client = try await ProviderClient(gateway)
            #expect(try await client.exchange(Self.headers(device.token), body: Self.payload).status == 200)
            try await client.close()
        }
    }

    @Test func answersComeAfterTheDelay() async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.answerDelay = .fixed(20)
        try await RunningGateway.run(configuration) { gateway in
            let device = try await gateway.device()
            var client = try await ProviderClient(gateway)
            let begin = ContinuousClock.now
            for (token, status) in [(device.token, 200), ("00ff", 400)] {
                let answer = try await client.exchange(Self.headers(token), body: Self.payload)
                #expect(answer.status == status)
            }
            #expect(ContinuousClock.now - begin >= .milliseconds(40))
            let report = try await gateway.get("/v1/sender", as: SenderReport.self)
            #expect(report.answers == ["200": 1, "400": 1])
            try await client.close()
        }
    }
}
