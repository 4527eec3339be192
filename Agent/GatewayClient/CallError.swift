package import WaypostSchema

/// The reason why a call has no usable response.
package enum CallError: Error, Sendable, Equatable {
    /// No server responded at the URL.
    case unreachable(String, reason: String)

    /// The server refused the request.
    case refused(status: Int, APIError)

    /// The response was unexpected: another program, or another version, sent it.
    case unexpectedResponse(String, reason: String)

    /// The task was canceled.
    case canceled
}

extension CallError {
    /// Whether no server that the caller expects answered.
    package var isUnreachable: Bool {
        switch self {
        case .unreachable, .unexpectedResponse: true
        case .refused, .canceled: false
        }
    }

    /// Whether the server would refuse the same request again.
    ///
    /// A time-out (408) and a limit of requests (429) are over later, and so are faults of the server.
    package var isLastingRefusal: Bool {
        guard case .refused(let status, _) = self else { return false }
        return status < 500 && status != 408 && status != 429
    }
}

extension CallError: CustomStringConvertible {
    /// A description of the error, with the URL.
    package var description: String {
        switch self {
        case .unreachable(let url, let reason): "cannot reach \(url): \(reason)"
        case .refused(_, let error): error.message + (error.line.map { " (line \($0))" } ?? "")
        case .unexpectedResponse(let url, let reason): "unexpected answer from \(url): \(reason)"
        case .canceled: "canceled"
        }
    }
}
