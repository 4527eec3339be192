package import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
package import NIOCore
internal import NIOHTTP1
package import WaypostSchema

/// Calls to one HTTP listener that responds in JSON.
package struct JSONCalls: Sendable {
    /// The default time-out of a call.
    package static let timeout = Duration.seconds(30)

    /// The maximum number of bytes of a response.
    private static let maximumResponseSize = 256 << 20

    private let http: HTTPClient

    /// The base URL, without a slash at its end.
    package let base: String

    private let commonHeaders: [(String, String)]

    /// Returns the bearer token of the next request, if it has one.
    private let token: @Sendable () -> String?

    /// Called with each request and the status of its response, for people.
    private let log: @Sendable (String) -> Void

    /// Creates calls to the listener at `base`, a URL without a path.
    ///
    /// - Parameters:
    ///   - http: the client that sends the requests.
    ///   - base: the base URL.
    ///   - token: returns the bearer token of the next request, if it has one.
    ///   - namespace: the namespace that every request names, if any.
    ///   - log: called with each request and the status of its response, for people.
    package init(
        _ http: HTTPClient,
        base: String,
        token: @escaping @Sendable () -> String? = { nil },
        namespace: Namespace? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.http = http
        self.log = log
        self.token = token
        commonHeaders = namespace.map { [("x-waypost-namespace", $0.rawValue)] } ?? []
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// Gets the value at `path`, also from a response with one of the `accepted` statuses.
    package func get<Response: Decodable>(
        _ path: String,
        headers: [(String, String)] = [],
        as type: Response.Type = Response.self,
        timeout: Duration = timeout,
        accepting accepted: Set<UInt> = []
    ) async throws(CallError) -> Response {
        try await decode(
            type,
            from: successfulResponse(.GET, path, headers: headers, timeout: timeout, accepting: accepted)
        )
    }

    /// Gets the string at `path`.
    package func getString(_ path: String) async throws(CallError) -> String {
        let response = try await successfulResponse(.GET, path)
        do {
            return String(buffer: try await response.body.collect(upTo: Self.maximumResponseSize))
        } catch {
            throw .unreachable(base, reason: CallError.reason(of: error))
        }
    }

    /// Posts `body` as JSON to `path`.
    package func post<Response: Decodable>(
        _ path: String,
        _ body: some Encodable,
        headers: [(String, String)] = []
    ) async throws(CallError) -> Response {
        try await post(path, bytes: Self.json(body), headers: headers + Self.jsonHeaders)
    }

    /// Puts `body` as JSON at `path`.
    package func put<Response: Decodable>(_ path: String, _ body: some Encodable) async throws(CallError) -> Response {
        try await decode(
            Response.self,
            from: successfulResponse(.PUT, path, headers: Self.jsonHeaders, body: .bytes(Self.json(body)))
        )
    }

    /// Sends `body` as JSON to `path`, and ignores the body of the response.
    package func send(
        _ method: Method,
        _ path: String,
        body: some Encodable,
        headers: [(String, String)] = [],
        timeout: Duration = timeout
    ) async throws(CallError) {
        let (method, body) = (HTTPMethod(rawValue: method.rawValue), HTTPClientRequest.Body.bytes(Self.json(body)))
        let headers = headers + Self.jsonHeaders
        _ = try await successfulResponse(method, path, headers: headers, body: body, timeout: timeout)
    }

    /// The method of a request whose response is ignored.
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
    package func post<Response: Decodable>(
        _ path: String,
        bytes: [UInt8],
        headers: [(String, String)],
        as type: Response.Type = Response.self
    ) async throws(CallError) -> Response {
        try await decode(type, from: successfulResponse(.POST, path, headers: headers, body: .bytes(bytes)))
    }

    /// Gets the response at `path`; the caller reads its body.
    func response(to path: String, timeout: Duration) async throws(CallError) -> HTTPClientResponse {
        try await successfulResponse(.GET, path, timeout: timeout)
    }

    /// Returns the next chunk of the body of a response; `nil` at its end.
    func nextChunk(of chunks: inout HTTPClientResponse.Body.AsyncIterator) async throws(CallError) -> ByteBuffer? {
        do {
            return try await chunks.next(isolation: #isolation)
        } catch is CancellationError {
            throw .canceled
        } catch {
            throw .unreachable(base, reason: CallError.reason(of: error))
        }
    }

    /// Deletes the resource at `path`.
    package func delete<Response: Decodable>(_ path: String) async throws(CallError) -> Response {
        try await decode(Response.self, from: successfulResponse(.DELETE, path))
    }

    /// Deletes the resource at `path`, and ignores the body of the response.
    package func delete(_ path: String, headers: [(String, String)] = []) async throws(CallError) {
        _ = try await successfulResponse(.DELETE, path, headers: headers)
    }

    /// Follows the Server-Sent Events at `path` until the stream ends.
    ///
    /// - Parameters:
    ///   - path: the path of the stream.
    ///   - headers: additional headers of the request.
    ///   - body: the chunks of the request's body, which may come while the stream is open; `nil` for a GET request.
    ///   - maximumEventSize: the maximum number of bytes of an event.
    ///   - onOpen: called once the stream is open.
    ///   - handle: called with the events in each chunk of the stream that has any, in order; reading continues when it
    ///     returns.
    /// - Throws: `CallError`, or what `handle` throws.
    package func follow(
        _ path: String,
        headers: [(String, String)] = [],
        body: AsyncStream<ByteBuffer>? = nil,
        maximumEventSize: Int = ServerSentEventParser.maximumEventSize,
        onOpen: () async throws -> Void = {},
        handle: ([ServerSentEvent]) async throws -> Void
    ) async throws {
        let body = body.map { HTTPClientRequest.Body.stream($0, length: .unknown) }
        let response = try await successfulResponse(body == nil ? .GET : .POST, path, headers: headers, body: body)
        guard response.status == .ok else { throw await callError(for: response) }
        try await onOpen()
        var parser = ServerSentEventParser(maximumEventSize: maximumEventSize)
        for try await chunk in response.body {
            let events = try parser.parse(chunk.readableBytesView)
            if !events.isEmpty { try await handle(events) }
        }
    }

    /// Polls until a response is the expected one, or the time is over.
    ///
    /// - Parameters:
    ///   - seconds: the maximum time in seconds.
    ///   - sendRequest: sends one request, and returns `nil` to be called again; its arguments are the seconds that the
    ///     listener may wait, and whether this is the last call.
    /// - Returns: the last response.
    /// - Throws: `CallError`.
    func poll<Response>(
        within seconds: Int,
        _ sendRequest: (_ wait: Int, _ isLast: Bool) async throws(CallError) -> Response?
    ) async throws(CallError) -> Response {
        var remainingSeconds = seconds
        while true {
            // Each wait is shorter than the time after which a silent connection counts as dead.
            let wait = min(remainingSeconds, 20)
            remainingSeconds -= wait
            if let response = try await sendRequest(wait, remainingSeconds <= 0) { return response }
        }
    }

    /// Sends a request, and returns its response.
    ///
    /// - Throws: `CallError.refused` for any other status than 2xx and the `accepted` ones.
    private func successfulResponse(
        _ method: HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: HTTPClientRequest.Body? = nil,
        timeout: Duration = timeout,
        accepting accepted: Set<UInt> = []
    ) async throws(CallError) -> HTTPClientResponse {
        let response = try await response(method, path, headers: headers, body: body, timeout: timeout)
        let status = response.status.code
        guard (200..<300).contains(status) || accepted.contains(status) else { throw await callError(for: response) }
        return response
    }

    /// Sends a request, and returns its response with any status.
    func response(
        _ method: HTTPMethod,
        _ path: String,
        headers: [(String, String)] = [],
        body: HTTPClientRequest.Body? = nil,
        timeout: Duration = timeout
    ) async throws(CallError) -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        if let secret = token() { request.headers.add(name: "authorization", value: "Bearer \(secret)") }
        request.headers.add(contentsOf: commonHeaders + headers)
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
            throw .unreachable(base, reason: CallError.reason(of: error))
        }
    }

    /// Returns the value in the body of a response.
    func decode<Response: Decodable>(
        _ type: Response.Type,
        from response: HTTPClientResponse
    ) async throws(CallError) -> Response {
        do {
            let body = try await response.body.collect(upTo: Self.maximumResponseSize)
            return try DocumentDecoder.decode(type, fromDeepJSON: body.readableBytesView)
        } catch let error as DecodingError {
            throw .unexpectedResponse(base, reason: error.sentence)
        } catch let error as JSONError {
            throw .unexpectedResponse(base, reason: "the document is not JSON: \(error), at byte \(error.offset)")
        } catch {
            throw .unreachable(base, reason: CallError.reason(of: error))
        }
    }

    private func callError(for response: HTTPClientResponse) async -> CallError {
        let status = Int(response.status.code)
        guard let body = try? await response.body.collect(upTo: Self.maximumResponseSize),
            let errorBody = try? DocumentDecoder.decode(APIErrorBody.self, fromDeepJSON: body.readableBytesView)
        else {
            return .unexpectedResponse(base, reason: "status \(status) with a body that Waypost does not know")
        }
        return .refused(status: status, errorBody.error)
    }
}
