import GatewayTestSupport
import NIOHPACK
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// The two meanings of a missing expiration.
@Suite(.timeLimit(.minutes(5))) struct MissingExpirationTests {
    @Test(arguments: [(MissingExpiration.store, DeliveryState.stored), (.drop, .dropped)])
    func notificationWithoutExpirationIsStoredOrDropped(_ choice: MissingExpiration, state: DeliveryState) async throws
    {
        var configuration = GatewayConfiguration.forTests
        configuration.missingExpiration = choice
        try await RunningGateway.run(configuration) { gateway in
            let token = try await gateway.device().token
            try await gateway.send(line(1, token) + line(2, token, #""expiration":4000000000,"#))
            var client = try await ProviderClient(gateway)
            let headers: HPACKHeaders = [
                ":method": "POST", ":scheme": "http", ":path": "/3/device/\(token)", "host": "localhost",
                "apns-id": NotificationID.numbered(3).rawValue, "apns-topic": "com.example.clowntown",
                "apns-push-type": "alert",
            ]
            #expect(try await client.exchange(headers, body: Array(#"{"aps":{"alert":"Honk"}}"#.utf8)).status == 200)
            for number in [1, 3] {
                let record = try await gateway.notification(.numbered(number))
                #expect(record.state == state)
                #expect(record.findings?.map(\.code) == [.missingExpiration])
            }
            let expiring = try await gateway.notification(.numbered(2))
            #expect(expiring.state == .stored)
            #expect(expiring.findings == nil)
            try await client.close()
        }
    }
}
