internal import AsyncHTTPClient
internal import Fleets
internal import Foundation
internal import GatewayClient
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import WaypostSchema

/// The listener of a gateway to which a load test sends.
package enum LoadTarget: Sendable {
    /// The service listener, for batches of a number of items.
    case batches(BatchEndpoint, itemsPerRequest: Int, BatchCoding)

    /// The provider listener, for single notifications, several at a time.
    case provider(ProviderEndpoint, maximumStreamCount: Int)

    /// Whether the listener is on this machine.
    package var isLoopback: Bool {
        switch self {
        case .batches(let endpoint, _, _): endpoint.isLoopback
        case .provider(let endpoint, _): endpoint.isLoopback
        }
    }
}

extension LoadTarget {
    /// The number of requests to the provider API that are made at once.
    private static let chunkSize = 64

    /// Makes a connection to the listener.
    func makeConnection() -> any LoadConnection {
        switch self {
        case .batches(let endpoint, let itemsPerRequest, let coding):
            BatchConnection(endpoint, coding, itemsPerRequest: itemsPerRequest)
        case .provider(let endpoint, let maximumStreamCount):
            ProviderConnection(endpoint, maximumStreamCount: maximumStreamCount)
        }
    }

    /// Creates a factory of requests, for any thread; for broadcasts, also creates a channel with all devices.
    ///
    /// - Parameters:
    ///   - traffic: the items.
    ///   - client: a client of the gateway.
    ///   - namespace: the namespace of the client, if not the standard one.
    ///   - startTime: the current time of the gateway.
    /// - Returns: the factory.
    /// - Throws: `LoadError` and `CallError` if there is no channel, or an error if the key cannot sign.
    func makeRequestFactory(
        _ traffic: LoadTraffic,
        _ client: GatewayClient,
        namespace: Namespace?,
        startTime: Timestamp
    ) async throws -> RequestFactory {
        let start = NIODeadline.now()
        let currentTime = { @Sendable in
            startTime.rawValue / 1_000 + Int((NIODeadline.now() - start).nanoseconds / 1_000_000_000)
        }
        switch self {
        case .batches(_, _, let coding):
            return RequestFactory(chunkSize: 1) { number in
                .batch(ByteBuffer(bytes: coding.encode(traffic.batchBody(ofRequest: number, at: currentTime()))))
            }
        case .provider(let endpoint, _):
            var channel: ChannelID?
            if traffic.settings.broadcastShare > 0 {
                let topic = traffic.settings.topic
                let newChannel = try await endpoint.createChannel(of: topic, in: namespace, at: currentTime())
                try await FleetRegistration(client).subscribe(traffic.deviceTokens, to: newChannel)
                channel = newChannel
            }
            let targets = try ProviderRequestTargets(endpoint, channel: channel, at: currentTime())
            return RequestFactory(chunkSize: Self.chunkSize) { number in
                let time = currentTime()
                let request = traffic.providerRequest(forItem: number, at: time, to: targets.target(at: time))
                return .notification(request.head, body: request.body)
            }
        }
    }
}

/// The target of requests, with a provider token that is replaced before it expires.
final class ProviderRequestTargets: Sendable {
    /// The time for which a token is used, in seconds: APNs accepts it for an hour, and no new one within 20 minutes.
    private static let tokenLifetime = 40 * 60

    private let endpoint: ProviderEndpoint
    private let channel: ChannelID?
    private let current: Mutex<(target: ProviderRequestTarget, renewalTime: Int)>

    /// Creates the targets; `now` is in seconds since 1970.
    init(_ endpoint: ProviderEndpoint, channel: ChannelID?, at now: Int) throws {
        self.endpoint = endpoint
        self.channel = channel
        current = Mutex((try endpoint.target(at: now, channel: channel), now + Self.tokenLifetime))
    }

    /// Returns the target at a time in seconds since 1970.
    func target(at now: Int) -> ProviderRequestTarget {
        current.withLock { current in
            // A key that has signed once signs again.
            if now >= current.renewalTime, let newTarget = try? endpoint.target(at: now, channel: channel) {
                current = (newTarget, now + Self.tokenLifetime)
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
    ///   - topic: the topic of the app.
    ///   - namespace: the namespace of the devices.
    ///   - now: the time, in seconds since 1970.
    /// - Returns: the channel.
    /// - Throws: `LoadError.channelRefused` if the gateway refuses it.
    func createChannel(of topic: Topic, in namespace: Namespace?, at now: Int) async throws -> ChannelID {
        let target = try target(at: now, channel: nil)
        var request = HTTPClientRequest(url: "\(target.scheme)://\(target.authority)/1/apps/\(topic)/channels")
        request.method = .POST
        if let authorization = target.authorization { request.headers.add(name: "authorization", value: authorization) }
        if let namespace { request.headers.add(name: "x-waypost-namespace", value: namespace.rawValue) }
        request.body = .bytes(ByteBuffer(string: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#))
        let configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let response = try await client.execute(request, timeout: Self.timeout)
            guard let id = response.headers.first(name: "apns-channel-id") else {
                throw LoadError.channelRefused(status: Int(response.status.code))
            }
            return ChannelID(rawValue: id)
        }
    }
}
