import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct DeviceRatesTests {
    private static func at(_ milliseconds: Int) -> Timestamp {
        Timestamp(milliseconds: 1_790_000_000_000 + milliseconds)
    }

    @Test func deviceReceivesABurstOfItsRateAndThenTheRate() {
        var rates = DeviceRates(rate: 4)
        /// Returns how many of `tries` notifications at one time are within the rate.
        func admitted(_ tries: Int, at milliseconds: Int) -> Int {
            var count = 0
            for _ in 0..<tries where rates.admit("aa", at: Self.at(milliseconds)) { count += 1 }
            return count
        }
        #expect(admitted(6, at: 0) == 4)
        let isOther = rates.admit("bb", at: Self.at(0))
        #expect(isOther)
        // A quarter of a second later, one more notification is within the rate.
        #expect(admitted(2, at: 250) == 1)
        #expect(admitted(5, at: 9_000) == 4)
    }

    @Test func clockThatMovesBackDoesNotBlockADevice() {
        var rates = DeviceRates(rate: 1)
        let answers = [1_000_000, 0, 0].map { rates.admit("aa", at: Self.at($0)) }
        #expect(answers == [true, true, false])
    }

    /// At any times, no second has more than twice the rate.
    ///
    /// If notifications arrive faster than the rate, at least 90 % of the rate is admitted over ten seconds.
    @Test(arguments: 0..<50) func everySecondHasAtMostTwiceTheRate(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rate = Int.random(in: 1...50, using: &generator)
        var rates = DeviceRates(rate: rate)
        var (now, admitted) = (0, [Int]())
        while now < 10_000 {
            if rates.admit("aa", at: Self.at(now)) { admitted.append(now) }
            now += Int.random(in: 0...(250 / rate), using: &generator)
        }
        for start in admitted { #expect(admitted.count { (start..<start + 1_000).contains($0) } <= 2 * rate) }
        #expect(admitted.count >= rate * 9)
    }

    @Test(arguments: [1, 1_000_000]) func extremeTimesAreAdmitted(_ rate: Int) {
        for moment in [0, -1, Int.max, Int.min] {
            var rates = DeviceRates(rate: rate)
            let isFirst = rates.admit("aa", at: Timestamp(milliseconds: moment))
            _ = rates.admit("aa", at: Timestamp(milliseconds: moment))
            #expect(isFirst)
        }
    }

    @Test func idleDevicesAreForgotten() {
        var rates = DeviceRates(rate: 1)
        for device in 0..<50_000 { _ = rates.admit(DeviceToken(rawValue: "\(device)"), at: Self.at(device * 10)) }
        #expect(rates.deviceCount <= 10_100)
    }

    @Test func notificationsAboveTheDeviceRateGet429() async throws {
        var configuration = GatewayConfiguration.forTests.withManualClock
        configuration.deviceRate = 2
        try await RunningGateway.run(configuration) { gateway in
            let (device, other) = (try await gateway.device(), try await gateway.device())
            let third = try await gateway.device()
            var client = try await ProviderClient(gateway)
            var statuses: [Int] = []
            for token in [device.token, device.token, device.token, other.token] {
                statuses.append(try await Self.send(to: token, with: &client).status)
            }
            #expect(statuses == [200, 200, 429, 200])
            let refused = try await Self.send(to: device.token, with: &client)
            #expect(refused.body == #"{"reason":"TooManyRequests"}"#)
            _ = try await gateway.service(.POST, "/v1/clock/advance", ClockAdvance(by: 1_000))
            #expect(try await Self.send(to: device.token, with: &client).status == 200)
            // Other errors take precedence over the rate and do not count toward it.
            for _ in 0..<3 {
                #expect(try await Self.send(to: third.token, "com.example.other", with: &client).status == 400)
            }
            #expect(try await Self.send(to: third.token, with: &client).status == 200)
            let standing = ["standing": "unregistered"]
            #expect(try await gateway.service(.PUT, "/v1/devices/\(other.token)/standing", standing).status == 200)
            for _ in 0..<3 { #expect(try await Self.send(to: other.token, with: &client).status == 410) }
            let id = NotificationID(rawValue: try #require(refused.fields["apns-id"]))
            #expect(try await gateway.notification(id).reason == .tooManyRequests)
            try await client.close()
        }
    }

    private static func send(
        to token: DeviceToken,
        _ topic: Topic = "com.example.clowntown",
        with client: inout ProviderClient
    ) async throws -> ProviderExchange {
        let headers: HPACKHeaders = [
            ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
            "apns-topic": topic.rawValue, "apns-push-type": "alert",
        ]
        return try await client.exchange(headers, body: Array(#"{"aps":{"alert":"Honk"}}"#.utf8))
    }
}
