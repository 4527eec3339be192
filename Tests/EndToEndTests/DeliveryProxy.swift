import AsyncHTTPClient
import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// A proxy between a gateway and its agents that delivers single notifications wrongly.
struct DeliveryProxy: Sendable {
    /// The mistake; the number is that of the notification, from 1.
    enum Mistake: Sendable {
        case drop(Int)
        case repeatUnchanged(Int)
        case repeatWithAnotherIdentifier(Int)
        case swapWithTheNext(Int)
    }

    private let service: String
    private let courier: String
    private let events: EventEditor
    private let client: HTTPClient

    private static let maximumBodySize = 64 << 20

    /// Runs `body` with the URL of a proxy before the gateway with these listeners.
    static func whileRunning<Value: Sendable>(
        before service: String,
        courier: String,
        making mistake: Mistake,
        _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        try await HTTPClient.withHTTPClient { client in
            let proxy = Self(service: service, courier: courier, events: EventEditor(mistake), client: client)
            return try await LoopbackServer.run(responding: proxy.respond, body)
        }
    }

    private func respond(to request: Request) async throws -> Response {
        let isSession = request.uri.path == "/v1/session"
        let isStream = isSession || request.uri.path == "/v1/events"
        let target = isStream || request.uri.path == "/v1/acks" ? courier : service
        var upstreamRequest = HTTPClientRequest(url: target + request.uri.description)
        upstreamRequest.method = HTTPMethod(rawValue: request.method.rawValue)
        let connectionFields: Set<HTTPField.Name> = [.connection, .contentLength, .transferEncoding, .acceptEncoding]
        for field in request.headers where !connectionFields.contains(field.name) {
            upstreamRequest.headers.add(name: field.name.canonicalName, value: field.value)
        }
        upstreamRequest.body =
            isSession
            ? .stream(request.body, length: .unknown)
            : .bytes(try await request.body.collect(upTo: Self.maximumBodySize))
        let response = try await client.execute(upstreamRequest, timeout: .hours(1))
        var headers = HTTPFields()
        if let type = response.headers.first(name: "content-type") { headers[.contentType] = type }
        let status = HTTPResponse.Status(code: Int(response.status.code))
        guard isStream else {
            var body = try await response.body.collect(upTo: Self.maximumBodySize)
            // Agents read the URL of the courier from this response; it must be that of the proxy.
            if request.uri.path == "/health", let host = request.head.authority {
                let text = String(buffer: body).replacing(courier, with: "http://\(host)")
                body = ByteBuffer(string: text)
            }
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
        }
        let events = events
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody { writer in
                var incompleteEvent = ""
                for try await chunk in response.body {
                    let parts = (incompleteEvent + String(buffer: chunk)).components(separatedBy: "\n\n")
                    incompleteEvent = parts.last ?? ""
                    let edited = parts.dropLast().flatMap { events.replacements(for: $0 + "\n\n") }.joined()
                    if !edited.isEmpty { try await writer.write(ByteBuffer(string: edited)) }
                }
                try await writer.finish(nil)
            }
        )
    }
}

/// Edits the events of a stream, so that one notification is delivered wrongly.
private final class EventEditor: Sendable {
    private struct State {
        var count = 0
        var delayedEvent: String?
    }

    private let mistake: DeliveryProxy.Mistake
    private let state = Mutex(State())

    init(_ mistake: DeliveryProxy.Mistake) {
        self.mistake = mistake
    }

    /// Returns the events to send instead of an event.
    func replacements(for event: String) -> [String] {
        guard event.contains("event: notification") else { return [event] }
        return state.withLock { state in
            state.count += 1
            switch mistake {
            case .drop(state.count): return []
            case .repeatUnchanged(state.count): return [event, event]
            case .repeatWithAnotherIdentifier(state.count): return [event, Self.withAnotherIdentifier(event)]
            case .swapWithTheNext(state.count):
                state.delayedEvent = event
                return []
            default:
                defer { state.delayedEvent = nil }
                return [event] + (state.delayedEvent.map { [$0] } ?? [])
            }
        }
    }

    private static func withAnotherIdentifier(_ event: String) -> String {
        event.replacing(/"id":"[^"]*"/, with: #""id":"d0000000-0000-4000-8000-00000000000d""#)
    }
}
