package import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import WaypostSchema

/// Calls to one HTTP listener whose answers are JSON.
package struct JSONCalls: Sendable {
    /// The longest that any call takes, unless it says otherwise.
    package static let timeout = Duration.seconds(30)

    /// The most bytes of an answer that are read.
    private static let maximumAnswer = 256 << 20

    private let http: HTTPClient
    let base: String
    private let common: [(String, String)]

    /// Creates calls to the listener at `base`, a URL without a path.
    ///
    /// - Parameters:
    ///   - http: the client that sends the requests.
    ///   - base: the base URL.
    ///   - token: the bearer token of every request, if any.
    ///   - namespace: the namespace that every request names, if any.
    package init(_ http: HTTPClient, base: String, token: String? = nil, namespace: Namespace? = nil) {
        self.http = http
        common =
            (token.map { [("authorization", "Bearer \($0)")] } ?? [])
            + (namespace.map { [("x-waypost-namespace", $0.rawValue)] } ?? [])
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// Gets what is at `path`.
    package func get<Answer: Decodable>(
        _ path: String,
        headers: [(String, String)] = [],
        as type: Answer.Type = Answer.self,
        timeout: Duration = timeout
    ) async throws(CallError) -> Answer {
        try await decode(type, from: answer(.GET, path, headers, timeout: timeout))
    }

    /// Gets the text at `path`.
    package func text(_ path: String) async throws(CallError) -> String {
        let response = try await answer(.GET, path)
        do {
            return String(buffer: try await response.body.collect(upTo: Self.maximumAnswer))
        } catch {
            throw .unreachable(base, reason: Self.reason(of: error))
        }
    }

    /// Posts `body` in JSON to `path`.
    package func post<Answer: Decodable>(
        _ path: String,
        _ body: some Encodable,
        headers: [(String, String)] = []
    ) async throws(CallError) -> Answer {
        try await post(path, bytes: Self.json(body), headers: headers + Self.jsonHeaders)
    }

    /// Puts `body` in JSON at `path`.
    package func put<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws(CallError) -> Answer {
        try await decode(Answer.self, from: answer(.PUT, path, Self.jsonHeaders, Self.json(body)))
    }

    /// Sends `body` in JSON to `path`; what is answered is not read.
    package func tell(_ method: Method, _ path: String, _ body: some Encodable) async throws(CallError) {
        _ = try await answer(HTTPMethod(rawValue: method.rawValue), path, Self.jsonHeaders, Self.json(body))
    }

    /// How something is told.
    package enum Method: String, Sendable {
        case post = "POST"
        case put = "PUT"
    }

    private static let jsonHeaders = [("content-type", "application/json")]

    private static func json(_ body: some Encodable) -> [UInt8] {
        guard let data = try? JSONEncoder().encode(body) else {
            preconditionFailure("every value of the schema can be written as JSON")
        }
        return Array(data)
    }

    /// Posts `bytes` as they are to `path`.
    package func post<Answer: Decodable>(
        _ path: String,
        bytes: [UInt8],
        headers: [(String, String)],
        as type: Answer.Type = Answer.self
    ) async throws(CallError) -> Answer {
        try await decode(type, from: answer(.POST, path, headers, bytes))
    }

    /// Deletes what is at `path`; what is answered is not read.
    package func delete(_ path: String, headers: [(String, String)] = []) async throws(CallError) {
        _ = try await answer(.DELETE, path, headers)
    }

    /// Follows the Server-Sent Events at `path` to their end.
    ///
    /// - Parameters:
    ///   - path: where the stream is.
    ///   - headers: what the request has beside the usual.
    ///   - onOpen: called once the stream is open.
    ///   - handle: called with the events of each piece of the stream that held any, in order; the stream is read on once
    ///     it returns.
    /// - Throws: `CallError`, or what `handle` throws.
    package func follow(
        _ path: String,
        headers: [(String, String)] = [],
        onOpen: () async throws -> Void = {},
        handle: ([ServerSentEvent]) async throws -> Void
    ) async throws {
        let response = try await answer(.GET, path, headers)
        guard response.status == .ok else { throw await refusal(by: response) }
        try await onOpen()
        var parser = ServerSentEventParser()
        for try await piece in response.body {
            let events = try parser.append(piece.readableBytesView)
            if !events.isEmpty { try await handle(events) }
        }
    }

    /// Polls until an answer is the one that is waited for, or the time is over; returns the last answer.
    ///
    /// - Parameters:
    ///   - seconds: the longest time in seconds.
    ///   - poll: asks once, and returns `nil` to be called again; it gets the seconds that the listener may wait, and
    ///     whether this is the last call.
    /// - Throws: `CallError`.
    func poll<Answer>(
        within seconds: Int,
        _ poll: (_ wait: Int, _ isLast: Bool) async throws(CallError) -> Answer?
    ) async throws(CallError) -> Answer {
        var secondsLeft = seconds
        while true {
            // Each wait is shorter than the time after which a silent connection counts as dead.
            let wait = min(secondsLeft, 20)
            secondsLeft -= wait
            if let answer = try await poll(wait, secondsLeft <= 0) { return answer }
        }
    }

    /// Makes a request and returns its answer, which is no refusal.
    private func answer(
        _ method: HTTPMethod,
        _ path: String,
        _ headers: [(String, String)] = [],
        _ body: [UInt8]? = nil,
        timeout: Duration = timeout
    ) async throws(CallError) -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(contentsOf: common + headers)
        request.body = body.map { .bytes(ByteBuffer(bytes: $0)) }
        let response: HTTPClientResponse
        do {
            response = try await http.execute(request, timeout: TimeAmount(timeout))
        } catch is CancellationError {
            throw .canceled
        } catch {
            throw .unreachable(base, reason: Self.reason(of: error))
        }
        guard (200..<300).contains(response.status.code) else { throw await refusal(by: response) }
        return response
    }

    private func decode<Answer: Decodable>(
        _ type: Answer.Type,
        from response: HTTPClientResponse
    ) async throws(CallError) -> Answer {
        do {
            let body = try await response.body.collect(upTo: Self.maximumAnswer)
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw .unexpectedAnswer(base, reason: error.sentence)
        } catch {
            throw .unreachable(base, reason: Self.reason(of: error))
        }
    }

    private func refusal(by response: HTTPClientResponse) async -> CallError {
        let status = Int(response.status.code)
        guard let body = try? await response.body.collect(upTo: Self.maximumAnswer),
            let answer = try? JSONDecoder().decode(APIErrorBody.self, from: Data(body.readableBytesView))
        else {
            return .unexpectedAnswer(base, reason: "status \(status) with a body that is not ours")
        }
        return .refused(status: status, answer.error)
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout: "the connection timed out"
        case let error as HTTPClientError where error == .deadlineExceeded: "no answer came in time"
        case let error as HTTPClientError where [.invalidURL, .emptyScheme, .emptyHost].contains(error):
            "this is no URL such as http://127.0.0.1:7330"
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason(of: $0.error) } ?? "the host is not known"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        default: "\(error)"
        }
    }
}

/// Why a call had no answer that can be used.
package enum CallError: Error, Sendable, Equatable {
    /// Nothing answered at the URL.
    case unreachable(String, reason: String)

    /// The answer was a refusal.
    case refused(status: Int, APIError)

    /// Something answered, but not what was to be expected: another program, or another version.
    case unexpectedAnswer(String, reason: String)

    /// The task was cancelled.
    case canceled
}

extension CallError: CustomStringConvertible {
    /// A sentence for a person that names the place.
    package var description: String {
        switch self {
        case .unreachable(let url, let reason): "cannot reach \(url): \(reason)"
        case .refused(_, let error): error.message + (error.line.map { " (line \($0))" } ?? "")
        case .unexpectedAnswer(let url, let reason): "unexpected answer from \(url): \(reason)"
        case .canceled: "canceled"
        }
    }
}

/// The base URL of a listener, as a person gives it.
package enum ListenerURL {
    /// Says what is wrong with `text` as the base URL of a listener; `nil` where nothing is.
    package static func error(in text: String) -> String? {
        let components = URLComponents(string: text)
        // The last is an agent's Unix domain socket, as its ready file has it.
        let isHTTP = ["http", "https", "http+unix"].contains(components?.scheme)
        let hasHost = components?.host?.isEmpty == false
        guard isHTTP, hasHost else { return "'\(text)' is no URL such as http://127.0.0.1:7330" }
        return nil
    }
}

/// Text inside a URL's path or query.
enum PathText {
    /// What means itself everywhere in a URL (RFC 3986, 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }
}
