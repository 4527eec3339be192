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
    private let base: String
    private let token: String?

    /// Creates calls to the listener at `base`, a URL without a path, which show `token` where there is one.
    package init(_ http: HTTPClient, base: String, token: String? = nil) {
        self.http = http
        self.token = token
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// Gets what is at `path`.
    package func get<Answer: Decodable>(
        _ path: String,
        headers: [(String, String)] = [],
        as type: Answer.Type = Answer.self,
        timeout: Duration = timeout
    ) async throws(CallError) -> Answer {
        var request = request(.GET, path)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        return try await decode(type, from: execute(request, timeout: timeout))
    }

    /// Posts `body` in JSON to `path`.
    package func post<Answer: Decodable>(
        _ path: String,
        _ body: some Encodable,
        headers: [(String, String)] = [],
        as type: Answer.Type = Answer.self
    ) async throws(CallError) -> Answer {
        guard let data = try? JSONEncoder().encode(body) else {
            preconditionFailure("every value of the schema can be written as JSON")
        }
        let headers = headers + [("content-type", "application/json")]
        return try await post(path, bytes: Array(data), headers: headers)
    }

    /// Posts `bytes` as they are to `path`.
    package func post<Answer: Decodable>(
        _ path: String,
        bytes: [UInt8],
        headers: [(String, String)],
        as type: Answer.Type = Answer.self
    ) async throws(CallError) -> Answer {
        var request = request(.POST, path)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: bytes))
        return try await decode(type, from: execute(request, timeout: Self.timeout))
    }

    /// Deletes what is at `path`; what is answered is not read.
    package func delete(_ path: String, headers: [(String, String)] = []) async throws(CallError) {
        var request = request(.DELETE, path)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await execute(request, timeout: Self.timeout)
        guard (200..<300).contains(response.status.code) else { throw await refusal(by: response) }
    }

    /// Opens a stream at `path`: returns once its head has come and was no refusal.
    func stream(_ path: String, headers: [(String, String)]) async throws(CallError) -> HTTPClientResponse {
        var request = request(.GET, path)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await execute(request, timeout: Self.timeout)
        guard response.status == .ok else { throw await refusal(by: response) }
        return response
    }

    private func request(_ method: NIOHTTP1.HTTPMethod, _ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        return request
    }

    private func execute(
        _ request: HTTPClientRequest,
        timeout: Duration
    ) async throws(CallError) -> HTTPClientResponse {
        do {
            return try await http.execute(request, timeout: TimeAmount(timeout))
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .unreachable(base, reason: Self.reason(of: error))
        }
    }

    private func decode<Answer: Decodable>(
        _ type: Answer.Type,
        from response: HTTPClientResponse
    ) async throws(CallError) -> Answer {
        guard (200..<300).contains(response.status.code) else { throw await refusal(by: response) }
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
    case cancelled
}

extension CallError: CustomStringConvertible {
    /// A sentence for a person that names the place.
    package var description: String {
        switch self {
        case .unreachable(let url, let reason): "cannot reach \(url): \(reason)"
        case .refused(_, let error): error.message + (error.line.map { " (line \($0))" } ?? "")
        case .unexpectedAnswer(let url, let reason): "unexpected answer from \(url): \(reason)"
        case .cancelled: "cancelled"
        }
    }
}
