internal import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import WaypostSchema

/// A client of the provider API, which behaves as a client of APNs.
struct ProviderClient: Sendable {
    /// The response to a request.
    struct Response: Sendable, Equatable {
        var status: Int
        var id: NotificationID?
        var channel: ChannelID?
        var reason: RejectionReason?
        var message: String?
    }

    private let http: HTTPClient
    private let url: String
    private let namespace: Namespace?

    private static let timeout = TimeAmount.seconds(30)
    private static let maximumResponseSize = 1 << 16

    /// Creates a client of the provider API at `url`, for a namespace.
    init(_ http: HTTPClient, url: String, namespace: Namespace?) {
        self.http = http
        self.url = url
        self.namespace = namespace
    }

    /// Returns the configuration of an HTTP client that trusts a gateway's authority, so that it speaks HTTP/2.
    static func configuration(trusting caCertificatePath: String) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(caCertificatePath)
        return HTTPClient.Configuration(tlsConfiguration: tls)
    }

    /// Sends a notification to a device.
    func send(_ item: BatchItem) async throws -> Response {
        try await post("/3/device/\(item.token)", item.headers, body: item.payload)
    }

    /// Creates a broadcast channel, and returns the response with its identifier.
    func createChannel(of topic: Topic, storesMessages: Bool) async throws -> Response {
        let body: JSONValue = .object([
            "message-storage-policy": .integer(storesMessages ? 1 : 0), "push-type": .string("LiveActivity"),
        ])
        return try await post("/1/apps/\(topic)/channels", [], body: body)
    }

    /// Sends a notification to a broadcast channel.
    func broadcast(_ item: BatchItem, to channel: ChannelID) async throws -> Response {
        try await post(
            "/4/broadcasts/apps/\(item.topic)",
            item.headers + [("apns-channel-id", channel.rawValue)],
            body: item.payload
        )
    }

    private func post(_ path: String, _ headers: [(String, String)], body: JSONValue) async throws -> Response {
        var request = HTTPClientRequest(url: url + path)
        request.method = .POST
        request.headers.add(contentsOf: headers)
        if let namespace { request.headers.add(name: "x-waypost-namespace", value: namespace.rawValue) }
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body)))
        let response = try await http.execute(request, timeout: Self.timeout)
        let body = try await response.body.collect(upTo: Self.maximumResponseSize)
        let document = try? DocumentDecoder.decode(JSONValue.self, from: body.readableBytesView)
        return Response(
            status: Int(response.status.code),
            id: response.headers.first(name: "apns-id").map(NotificationID.init(rawValue:)),
            channel: response.headers.first(name: "apns-channel-id").map(ChannelID.init(rawValue:)),
            reason: document?["reason"]?.string.map(RejectionReason.init(rawValue:)),
            message: response.headers.first(name: "waypost-message")
        )
    }
}

extension BatchItem {
    /// The headers of the notification in a request of the provider API.
    fileprivate var headers: [(String, String)] {
        let headers: [(String, String?)] = [
            ("apns-topic", topic.rawValue), ("apns-push-type", (pushType ?? .alert).rawValue),
            ("apns-id", id?.rawValue),
            ("apns-priority", priority.map { "\($0)" }), ("apns-expiration", expiration.map { "\($0)" }),
            ("apns-collapse-id", collapseID?.rawValue),
        ]
        return headers.compactMap { name, value in value.map { (name, $0) } }
    }
}
