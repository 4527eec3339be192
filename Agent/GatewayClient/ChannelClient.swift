package import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
internal import NIOCore
internal import NIOHTTP1
package import WaypostSchema

/// A client with calls about broadcast channels to a gateway's provider listener, as providers make them to APNs.
package struct ChannelClient: Sendable {
    /// The messages of a channel that APNs keeps for devices that are not connected ("message-storage-policy").
    package enum StoragePolicy: Int, Codable, Sendable, CaseIterable {
        /// Nothing.
        case none = 0

        /// The newest message.
        case newest = 1
    }

    /// The configuration of a channel.
    package struct Configuration: Codable, Sendable, Equatable {
        /// The messages that are kept.
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

    private let http: HTTPClient
    private let base: String

    /// Creates a client of the provider listener at `base`.
    package init(_ http: HTTPClient, provider base: String) {
        self.http = http
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// Creates a channel of an app, and returns its identifier.
    package func create(_ configuration: Configuration, of app: Topic) async throws(CallError) -> ChannelID {
        let answer = try await answer(.POST, "/1/apps/\(Self.escaped(app))/channels", body: Self.json(configuration))
        guard let id = answer.headers.first(name: Self.channelHeader) else {
            throw .unexpectedAnswer(base, reason: "the answer names no channel")
        }
        return ChannelID(rawValue: id)
    }

    /// Returns the channels of an app.
    package func channels(of app: Topic) async throws(CallError) -> [ChannelID] {
        let answer = try await answer(.GET, "/1/apps/\(Self.escaped(app))/all-channels")
        return try decode(DeviceChannels.self, answer).channels
    }

    /// Returns the configuration of a channel.
    package func configuration(of channel: ChannelID, of app: Topic) async throws(CallError) -> Configuration {
        try decode(
            Configuration.self,
            try await answer(.GET, "/1/apps/\(Self.escaped(app))/channels", [(Self.channelHeader, channel.rawValue)])
        )
    }

    /// Deletes a channel, with its subscriptions.
    package func delete(_ channel: ChannelID, of app: Topic) async throws(CallError) {
        _ = try await answer(.DELETE, "/1/apps/\(Self.escaped(app))/channels", [(Self.channelHeader, channel.rawValue)])
    }

    /// Sends a message to the devices that are subscribed to a channel; returns the gateway's words about that.
    package func send(_ payload: [UInt8], to channel: ChannelID, of app: Topic) async throws(CallError) -> String? {
        let headers = [(Self.channelHeader, channel.rawValue), ("apns-push-type", "liveactivity")]
        let path = "/4/broadcasts/apps/\(Self.escaped(app))"
        return try await answer(.POST, path, headers, body: payload).headers.first(name: Self.messageHeader)
    }

    // MARK: Calls

    private static let channelHeader = "apns-channel-id"
    private static let messageHeader = "waypost-message"

    private static func escaped(_ app: Topic) -> String {
        PathText.escaped(app.rawValue)
    }

    private static func json(_ configuration: Configuration) -> [UInt8] {
        (try? JSONEncoder().encode(configuration)).map(Array.init) ?? []
    }

    /// An answer that is not a refusal.
    private struct Answer {
        let headers: HTTPHeaders
        let body: ByteBuffer
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ answer: Answer) throws(CallError) -> Value {
        do {
            return try DocumentDecoder.decode(type, fromWaypost: answer.body.readableBytesView)
        } catch {
            throw .unexpectedAnswer(base, reason: (error as? DecodingError)?.sentence ?? "\(error)")
        }
    }

    private func answer(
        _ method: HTTPMethod,
        _ path: String,
        _ headers: [(String, String)] = [],
        body: [UInt8]? = nil
    ) async throws(CallError) -> Answer {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(contentsOf: headers)
        request.body = body.map { .bytes($0) }
        let answer: Answer
        let status: Int
        do {
            let response = try await http.execute(request, timeout: TimeAmount(JSONCalls.timeout))
            answer = Answer(headers: response.headers, body: try await response.body.collect(upTo: 1 << 20))
            status = Int(response.status.code)
        } catch is CancellationError {
            throw .canceled
        } catch {
            throw .unreachable(base, reason: JSONCalls.reason(of: error))
        }
        guard (200..<300).contains(status) else { throw refusal(status, answer) }
        return answer
    }

    /// Returns the reason of APNs in an answer, with the gateway's words about it.
    private func refusal(_ status: Int, _ answer: Answer) -> CallError {
        guard let reason = try? decode(ProviderReason.self, answer).reason else {
            return .unexpectedAnswer(base, reason: "status \(status) with a body that APNs does not send")
        }
        let words = answer.headers.first(name: Self.messageHeader).map { "\(reason): \($0)" }
        return .refused(status: status, APIError(code: APIError.Code(rawValue: reason), message: words ?? reason))
    }
}

/// The body with which APNs refuses a request.
private struct ProviderReason: Decodable {
    let reason: String
}
