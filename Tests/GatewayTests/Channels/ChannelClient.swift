import GatewayTestSupport
import NIOHPACK
import WaypostSchema

/// A client that manages the channels of Clown Town and sends to them.
struct ChannelClient: ~Copyable {
    private static let app = "com.example.clowntown"
    private var client: ProviderClient

    init(_ gateway: RunningGateway) async throws {
        client = try await ProviderClient(gateway)
    }

    consuming func close() async throws {
        try await client.close()
    }

    /// Sends any request.
    mutating func exchange(
        _ method: String,
        _ path: String,
        _ fields: [(String, String)] = [],
        body: String? = nil
    ) async throws -> ProviderExchange {
        var headers: HPACKHeaders = [":method": method, ":scheme": "http", ":path": path]
        if !fields.contains(where: { $0.0 == "host" }) { headers.add(name: "host", value: "localhost") }
        for (name, value) in fields { headers.add(name: name, value: value) }
        return try await client.exchange(headers, body: body.map { Array($0.utf8) })
    }

    /// Creates a channel and returns its identifier.
    mutating func create(policy: Int, _ fields: [(String, String)] = []) async throws -> ChannelID {
        let body = #"{"message-storage-policy":\#(policy),"push-type":"LiveActivity"}"#
        let answer = try await exchange("POST", "/1/apps/\(Self.app)/channels", fields, body: body)
        return ChannelID(rawValue: answer.fields["apns-channel-id"] ?? "")
    }

    /// Sends a message to a channel.
    mutating func send(_ text: String, to channel: ChannelID, expiration: Int? = nil) async throws -> ProviderExchange {
        var fields = [("apns-channel-id", channel.rawValue), ("apns-push-type", "liveactivity")]
        if let expiration { fields.append(("apns-expiration", "\(expiration)")) }
        let body = #"{"aps":{"event":"update","timestamp":1,"content-state":{"text":"\#(text)"}}}"#
        return try await exchange("POST", "/4/broadcasts/apps/\(Self.app)", fields, body: body)
    }
}
