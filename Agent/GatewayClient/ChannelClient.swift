package import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
package import WaypostSchema

/// A client with calls about broadcast channels to a gateway's provider listener, as providers make them to APNs.
package struct ChannelClient: Sendable {
    /// The messages of a channel that APNs stores for devices that are not connected ("message-storage-policy").
    package enum StoragePolicy: Int, Codable, Sendable, CaseIterable {
        /// Nothing.
        case none = 0

        /// The newest message.
        case newest = 1
    }

    /// The configuration of a channel.
    package struct Configuration: Codable, Sendable, Equatable {
        /// The messages that APNs stores.
        package var storage: StoragePolicy

        /// The push type of its messages.
        package var pushType: String

        private enum CodingKeys: String, CodingKey {
            case storage = "message-storage-policy"
            case pushType = "push-type"
        }

        /// Creates the configuration of a channel for Live Activities, which are all that APNs has.
        package init(_ storage: StoragePolicy) {
            self.storage = storage
            pushType = "LiveActivity"
        }
    }

    private let provider: JSONCalls

    /// Creates a client of the provider listener at `base`.
    ///
    /// - Parameters:
    ///   - http: the client that sends the requests.
    ///   - base: the base URL.
    ///   - log: called with each request and the status of its response, for people.
    package init(_ http: HTTPClient, provider base: String, log: @escaping @Sendable (String) -> Void = { _ in }) {
        provider = JSONCalls(http, base: base, log: log)
    }

    /// Creates a channel of an app, and returns its identifier.
    package func create(_ configuration: Configuration, of app: Topic) async throws(CallError) -> ChannelID {
        let path = "/1/apps/\(Self.escaped(app))/channels"
        let response = try await successfulResponse(.POST, path, body: Self.json(configuration))
        guard let id = response.headers.first(name: Self.channelHeader) else {
            throw .unexpectedResponse(provider.base, reason: "the answer names no channel")
        }
        return ChannelID(rawValue: id)
    }

    /// Returns the channels of an app.
    package func channels(of app: Topic) async throws(CallError) -> [ChannelID] {
        let response = try await successfulResponse(.GET, "/1/apps/\(Self.escaped(app))/all-channels")
        return try await provider.decode(DeviceChannels.self, from: response).channels
    }

    /// Returns the configuration of a channel.
    package func configuration(of channel: ChannelID, of app: Topic) async throws(CallError) -> Configuration {
        let headers = [(Self.channelHeader, channel.rawValue)]
        let response = try await successfulResponse(.GET, "/1/apps/\(Self.escaped(app))/channels", headers: headers)
        return try await provider.decode(Configuration.self, from: response)
    }

    /// Deletes a channel, with its subscriptions.
    package func delete(_ channel: ChannelID, of app: Topic) async throws(CallError) {
        _ = try await successfulResponse(
            .DELETE,
            "/1/apps/\(Self.escaped(app))/channels",
            headers: [(Self.channelHeader, channel.rawValue)]
        )
    }

    /// Sends a message to the devices that are subscribed to a channel; returns the gateway's message about it, if any.
    package func send(_ payload: [UInt8], to channel: ChannelID, of app: Topic) async throws(CallError) -> String? {
        let headers = [(Self.channelHeader, channel.rawValue), ("apns-push-type", "liveactivity")]
        let path = "/4/broadcasts/apps/\(Self.escaped(app))"
        let response = try await successfulResponse(.POST, path, headers: headers, body: payload)
        return response.headers.first(name: Self.messageHeader)
    }

    // MARK: Calls

    private static let channelHeader = "apns-channel-id"
    private static let messageHeader = "waypost-message"

    private static func escaped(_ app: Topic) -> String {
        PercentEncoding.escaped(app.rawValue)
    }

    private static func json(_ configuration: Configuration) -> [UInt8] {
        (try? JSONEncoder().encode(configuration)).map(Array.init) ?? []
    }

    /// Sends a request, and returns its response.
    ///
    /// - Throws: `CallError.refused` for any other status than 2xx.
    private func successfulResponse(
        _ method: HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: [UInt8]? = nil
    ) async throws(CallError) -> HTTPClientResponse {
        let response = try await provider.response(method, path, headers: headers, body: body.map { .bytes($0) })
        guard (200..<300).contains(response.status.code) else { throw await callError(for: response) }
        return response
    }

    /// Returns the reason of APNs in a response, with the gateway's message about it.
    private func callError(for response: HTTPClientResponse) async -> CallError {
        let status = Int(response.status.code)
        guard let reason = try? await provider.decode(ProviderReason.self, from: response).reason else {
            return .unexpectedResponse(provider.base, reason: "status \(status) with a body that APNs does not send")
        }
        let message = response.headers.first(name: Self.messageHeader).map { "\(reason): \($0)" }
        return .refused(status: status, APIError(code: APIError.Code(rawValue: reason), message: message ?? reason))
    }
}

/// The body with which APNs refuses a request.
private struct ProviderReason: Decodable {
    let reason: String
}
