internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import WaypostSchema

/// The listener of a gateway to which a load test sends.
package enum LoadTarget: Sendable {
    /// The service listener, for batches.
    case batches(BatchEndpoint)

    /// The provider listener, for single notifications.
    case provider(ProviderEndpoint)

    /// Whether the listener is on this machine.
    package var isLoopback: Bool {
        switch self {
        case .batches(let endpoint): endpoint.isLoopback
        case .provider(let endpoint): endpoint.isLoopback
        }
    }
}

/// The listener's address for requests, with a provider token that is made again before it expires.
final class ProviderTargets: Sendable {
    /// The seconds for which a token is used: APNs accepts it for an hour, and no new one within 20 minutes.
    private static let lifetime = 40 * 60

    private let endpoint: ProviderEndpoint
    private let channel: ChannelID?
    private let current: Mutex<(target: ProviderTarget, until: Int)>

    /// Creates the addresses; `now` is in seconds since 1970.
    init(_ endpoint: ProviderEndpoint, channel: ChannelID?, at now: Int) throws {
        self.endpoint = endpoint
        self.channel = channel
        current = Mutex((try endpoint.target(at: now, channel: channel), now + Self.lifetime))
    }

    /// Returns the address at a time in seconds since 1970.
    func target(at now: Int) -> ProviderTarget {
        current.withLock { current in
            // A key that has signed once signs again.
            if now >= current.until, let next = try? endpoint.target(at: now, channel: channel) {
                current = (next, now + Self.lifetime)
            }
            return current.target
        }
    }
}

extension ProviderEndpoint {
    private static let limit = TimeAmount.seconds(30)

    /// Creates a channel for messages to all devices ("Sending channel management requests to APNs").
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - namespace: the namespace of the devices.
    ///   - now: the time, in seconds since 1970.
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
            let answer = try await client.execute(request, timeout: Self.limit)
            guard let id = answer.headers.first(name: "apns-channel-id") else {
                throw LoadError.noChannel(status: Int(answer.status.code))
            }
            return ChannelID(rawValue: id)
        }
    }
}
