internal import AsyncHTTPClient
internal import Fleets
internal import Foundation
internal import GatewayClient
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import WaypostSchema

/// The listener of a gateway to which a load test sends.
package enum LoadListener: Sendable {
    /// The service listener, for batches of a number of items.
    case batches(BatchEndpoint, items: Int, BatchCoding)

    /// The provider listener, for single notifications, several at a time.
    case provider(ProviderEndpoint, streams: Int)

    /// Whether the listener is on this machine.
    package var isLoopback: Bool {
        switch self {
        case .batches(let endpoint, _, _): endpoint.isLoopback
        case .provider(let endpoint, _): endpoint.isLoopback
        }
    }
}

extension LoadListener {
    /// The number of requests to the provider API that are made at once.
    private static let chunkSize = 64

    /// Makes a connection to the listener.
    func makeConnection() -> any LoadConnection {
        switch self {
        case .batches(let endpoint, let items, let coding): BatchConnection(endpoint, coding, items: items)
        case .provider(let endpoint, let streams): ProviderConnection(endpoint, streams: streams)
        }
    }

    /// Returns a maker of requests, for any thread; for messages to all devices, creates a channel with all devices.
    ///
    /// - Parameters:
    ///   - traffic: the items.
    ///   - client: a client of the gateway.
    ///   - namespace: the namespace of the client, if not the standard one.
    ///   - startTime: the current time of the gateway.
    /// - Returns: the maker.
    /// - Throws: `LoadError` and `CallError` if there is no channel, or an error if the key cannot sign.
    func requestMaker(
        _ traffic: LoadTraffic,
        _ client: GatewayClient,
        namespace: Namespace?,
        startTime: Timestamp
    ) async throws -> RequestMaker {
        let start = NIODeadline.now()
        let now = { @Sendable in
            startTime.rawValue / 1_000 + Int((NIODeadline.now() - start).nanoseconds / 1_000_000_000)
        }
        switch self {
        case .batches(_, _, let coding):
            return RequestMaker(chunkSize: 1) { .batch(ByteBuffer(bytes: coding.encode(traffic.batch($0, at: now())))) }
        case .provider(let endpoint, _):
            var channel: ChannelID?
            if traffic.settings.broadcast > 0 {
                let created = try await endpoint.createChannel(of: traffic.settings.topic, in: namespace, at: now())
                try await FleetRegistration(client).subscribe(traffic.devices, to: created)
                channel = created
            }
            let addresses = try ProviderAddresses(endpoint, channel: channel, at: now())
            return RequestMaker(chunkSize: Self.chunkSize) { request in
                let time = now()
                let parts = traffic.request(request, at: time, to: addresses.target(at: time))
                return .notification(parts.head, body: parts.body)
            }
        }
    }
}

/// The listener's address for requests, with a provider token that is replaced before it expires.
final class ProviderAddresses: Sendable {
    /// The seconds for which a token is used: APNs accepts it for an hour, and no new one within 20 minutes.
    private static let lifetime = 40 * 60

    private let endpoint: ProviderEndpoint
    private let channel: ChannelID?
    private let current: Mutex<(target: ProviderAddress, expiration: Int)>

    /// Creates the addresses; `now` is in seconds since 1970.
    init(_ endpoint: ProviderEndpoint, channel: ChannelID?, at now: Int) throws {
        self.endpoint = endpoint
        self.channel = channel
        current = Mutex((try endpoint.target(at: now, channel: channel), now + Self.lifetime))
    }

    /// Returns the address at a time in seconds since 1970.
    func target(at now: Int) -> ProviderAddress {
        current.withLock { current in
            // A key that has signed once signs again.
            if now >= current.expiration, let next = try? endpoint.target(at: now, channel: channel) {
                current = (next, now + Self.lifetime)
            }
            return current.target
        }
    }
}

extension ProviderEndpoint {
    private static let timeout = TimeAmount.seconds(30)

    /// Creates a channel for messages to all devices ("Sending channel management requests to APNs").
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - namespace: the namespace of the devices.
    ///   - now: the time, in seconds since 1970.
    /// - Returns: the channel.
    /// - Throws: `LoadError.noChannel` if the gateway refuses it.
    func createChannel(of app: Topic, in namespace: Namespace?, at now: Int) async throws -> ChannelID {
        let target = try target(at: now, channel: nil)
        var request = HTTPClientRequest(url: "\(target.scheme)://\(target.authority)/1/apps/\(app)/channels")
        request.method = .POST
        if let authorization = target.authorization { request.headers.add(name: "authorization", value: authorization) }
        if let namespace { request.headers.add(name: "x-waypost-namespace", value: namespace.rawValue) }
        request.body = .bytes(ByteBuffer(string: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#))
        let configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let response = try await client.execute(request, timeout: Self.timeout)
            guard let id = response.headers.first(name: "apns-channel-id") else {
                throw LoadError.noChannel(status: Int(response.status.code))
            }
            return ChannelID(rawValue: id)
        }
    }
}
