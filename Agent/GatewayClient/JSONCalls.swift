package import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import WaypostSchema

/// Calls to one HTTP listener that answers in JSON.
package struct JSONCalls: Sendable {
    /// The default time-out of a call.
    package static let timeout = Duration.seconds(30)

    /// The maximum number of bytes of an answer.
    private static let maximumAnswer = 256 << 20

    private let http: HTTPClient
    /// The base URL, without a slash at its end.
    package let base: String
    private let common: [(String, String)]

    /// Called with each request and the status of its answer, for people.
    private let log: @Sendable (String) -> Void

    /// Creates calls to the listener at `base`, a URL without a path.
    ///
    /// - Parameters:
    ///   - http: the client that sends the requests.
    ///   - base: the base URL.
    ///   - token: the bearer token of every request, if any.
    ///   - namespace: the namespace that every request names, if any.
    ///   - log: called with each request and the status of its answer, for people.
    package init(
        _ http: HTTPClient,
        base: String,
        token: String? = nil,
        namespace: Namespace? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.http = http
        self.log = log
        common =
            (token.map { [("authorization", "Bearer \($0)")] } ?? [])
            + (namespace.map { [("x-waypost-namespace", $0.rawValue)] } ?? [])
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// Gets the value at `path`, also from an answer with one of the `accepted` statuses.
    package func get<Answer: Decodable>(
        _ path: String,
        headers: [(String, String)] = [],
        as type: Answer.Type = Answer.self,
        timeout: Duration = timeout,
        accepting accepted: Set<UInt> = []
    ) async throws(CallError) -> Answer {
        try await decode(type, from: answer(.GET, path, headers: headers, timeout: timeout, accepting: accepted))
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

    /// Posts `body` as JSON to `path`.
    package func post<Answer: Decodable>(
        _ path: String,
        _ body: some Encodable,
        headers: [(String, String)] = []
    ) async throws(CallError) -> Answer {
        try await post(path, bytes: Self.json(body), headers: headers + Self.jsonHeaders)
    }

    /// Puts `body` as JSON at `path`.
    package func put<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws(CallError) -> Answer {
        try await decode(
            Answer.self,
            from: answer(.PUT, path, headers: Self.jsonHeaders, body: .bytes(Self.json(body)))
        )
    }

    /// Sends `body` as JSON to `path`, and ignores the body of the answer.
    package func tell(
        _ method: Method,
        _ path: String,
        body: some Encodable,
        timeout: Duration = timeout
    ) async throws(CallError) {
        let (method, body) = (HTTPMethod(rawValue: method.rawValue), Self.json(body))
        _ = try await answer(method, path, headers: Self.jsonHeaders, body: .bytes(body), timeout: timeout)
    }

    /// The method of a request whose answer is ignored.
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

    /// Posts `bytes` unchanged to `path`.
    package func post<Answer: Decodable>(
        _ path: String,
        bytes: [UInt8],
        headers: [(String, String)],
        as type: Answer.Type = Answer.self
    ) async throws(CallError) -> Answer {
        try await decode(type, from: answer(.POST, path, headers: headers, body: .bytes(bytes)))
    }

    /// Gets the answer at `path`, whose body is read by the caller.
    func response(to path: String, timeout: Duration) async throws(CallError) -> HTTPClientResponse {
        try await answer(.GET, path, timeout: timeout)
    }

    /// Returns the next piece of the body of an answer; `nil` at its end.
    func next(_ pieces: inout HTTPClientResponse.Body.AsyncIterator) async throws(CallError) -> ByteBuffer? {
        do {
            return try await pieces.next(isolation: #isolation)
        } catch is CancellationError {
            throw .canceled
        } catch {
            throw .unreachable(base, reason: Self.reason(of: error))
        }
    }

    /// Deletes the resource at `path`.
    package func delete<Answer: Decodable>(_ path: String) async throws(CallError) -> Answer {
        try await decode(Answer.self, from: answer(.DELETE, path))
    }

    /// Deletes the resource at `path`, and ignores the body of the answer.
    package func delete(_ path: String, headers: [(String, String)] = []) async throws(CallError) {
        _ = try await answer(.DELETE, path, headers: headers)
    }

    /// Follows the Server-Sent Events at `path` until the stream ends.
    ///
    /// - Parameters:
    ///   - path: the path of the stream.
    ///   - headers: additional headers of the request.
    ///   - body: the pieces of the request's body, which may come while the stream is open; `nil` for a GET request.
    ///   - onOpen: called once the stream is open.
    ///   - handle: called with the events in each piece of the stream that has any, in order; reading continues when it
    ///     returns.
    /// - Throws: `CallError`, or what `handle` throws.
    package func follow(
        _ path: String,
        headers: [(String, String)] = [],
        body: AsyncStream<ByteBuffer>? = nil,
        onOpen: () async throws -> Void = {},
        handle: ([ServerSentEvent]) async throws -> Void
    ) async throws {
        let body = body.map { HTTPClientRequest.Body.stream($0, length: .unknown) }
        let response = try await answer(body == nil ? .GET : .POST, path, headers: headers, body: body)
        guard response.status == .ok else { throw await refusal(by: response) }
        try await onOpen()
        var parser = ServerSentEventParser()
        for try await piece in response.body {
            let events = try parser.append(piece.readableBytesView)
            if !events.isEmpty { try await handle(events) }
        }
    }

    /// Polls until an answer is the expected one, or the time is over.
    ///
    /// - Parameters:
    ///   - seconds: the longest time in seconds.
    ///   - poll: asks once, and returns `nil` to be called again; it gets the seconds that the listener may wait, and
    ///     whether this is the last call.
    /// - Returns: the last answer.
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

    /// Sends a request, and returns its answer, which is not a refusal.
    private func answer(
        _ method: HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: HTTPClientRequest.Body? = nil,
        timeout: Duration = timeout,
        accepting accepted: Set<UInt> = []
    ) async throws(CallError) -> HTTPClientResponse {
        let response = try await response(method, path, headers: headers, body: body, timeout: timeout)
        let status = response.status.code
        guard (200..<300).contains(status) || accepted.contains(status) else { throw await refusal(by: response) }
        return response
    }

    /// Sends a request, and returns its answer, whatever its status is.
    func response(
        _ method: HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: HTTPClientRequest.Body? = nil,
        timeout: Duration = timeout
    ) async throws(CallError) -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(contentsOf: common + headers)
        request.body = body
        let start = ContinuousClock.now
        do {
            let response = try await http.execute(request, timeout: TimeAmount(timeout))
            let time = Int((ContinuousClock.now - start) / .milliseconds(1))
            log("\(method.rawValue) \(base)\(path): \(response.status.code), \(time) ms")
            return response
        } catch is CancellationError {
            throw .canceled
        } catch {
            throw .unreachable(base, reason: Self.reason(of: error))
        }
    }

    /// Returns the value in the body of an answer.
    func decode<Answer: Decodable>(
        _ type: Answer.Type,
        from response: HTTPClientResponse
    ) async throws(CallError) -> Answer {
        do {
            let body = try await response.body.collect(upTo: Self.maximumAnswer)
            return try DocumentDecoder.decode(type, fromWaypost: body.readableBytesView)
        } catch let error as DecodingError {
            throw .unexpectedAnswer(base, reason: error.sentence)
        } catch let error as JSONError {
            throw .unexpectedAnswer(base, reason: "the document is not JSON: \(error), at byte \(error.offset)")
        } catch {
            throw .unreachable(base, reason: Self.reason(of: error))
        }
    }

    private func refusal(by response: HTTPClientResponse) async -> CallError {
        let status = Int(response.status.code)
        guard let body = try? await response.body.collect(upTo: Self.maximumAnswer),
            let answer = try? DocumentDecoder.decode(APIErrorBody.self, fromWaypost: body.readableBytesView)
        else {
            return .unexpectedAnswer(base, reason: "status \(status) with a body that Waypost does not know")
        }
        return .refused(status: status, answer.error)
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .connectTimeout: "the connection timed out"
        case let error as HTTPClientError where error == .deadlineExceeded: "no answer arrived in time"
        case let error as HTTPClientError where [.invalidURL, .emptyScheme, .emptyHost].contains(error):
            "this is not a URL such as http://127.0.0.1:7330"
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason(of: $0.error) } ?? "the host is not known"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case NIOSSLError.handshakeFailed(let error) where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            "its certificate is not trusted; set SSL_CERT_FILE to a file with the authority that signed it, in PEM"
        default: "\(error)"
        }
    }
}

/// The reason why a call has no usable answer.
package enum CallError: Error, Sendable, Equatable {
    /// Nothing answered at the URL.
    case unreachable(String, reason: String)

    /// The answer was a refusal.
    case refused(status: Int, APIError)

    /// The answer was unexpected: another program, or another version, answered.
    case unexpectedAnswer(String, reason: String)

    /// The task was canceled.
    case canceled
}

extension CallError: CustomStringConvertible {
    /// A description of the error, with the URL.
    package var description: String {
        switch self {
        case .unreachable(let url, let reason): "cannot reach \(url): \(reason)"
        case .refused(_, let error): error.message + (error.line.map { " (line \($0))" } ?? "")
        case .unexpectedAnswer(let url, let reason): "unexpected answer from \(url): \(reason)"
        case .canceled: "canceled"
        }
    }
}

/// The base URL of a listener, as the user gives it.
package enum ListenerURL {
    /// Returns the problem of `text` as the base URL of a listener, or `nil` if there is none.
    package static func error(in text: String) -> String? {
        let components = URLComponents(string: text)
        // The scheme `http+unix` is for an agent's Unix domain socket, as in its ready file.
        let isHTTP = ["http", "https", "http+unix"].contains(components?.scheme)
        let hasHost = components?.host?.isEmpty == false
        guard isHTTP, hasHost else { return "'\(text)' is not a URL such as http://127.0.0.1:7330" }
        return nil
    }
}

extension Namespace {
    /// Returns the problem of `text` as the name of a namespace, or `nil` if there is none.
    package static func error(in text: String) -> String? {
        guard !Namespace(rawValue: text).isWellFormed else { return nil }
        return "'\(text)' is not a namespace; use 1 to 64 of A-Z, a-z, 0-9, '.', '-' and '_', the first not '.'"
    }
}

/// Text for a URL's path or query.
package enum PathText {
    /// The characters that need no escape in a URL (RFC 3986, 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Returns a text with everything escaped that has a meaning in a path.
    package static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }
}
