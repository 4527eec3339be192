package import HTTPTypes
package import WaypostSchema

/// An error that a service answers a request with.
package protocol ServiceError: Error, Sendable {
    /// The status of the answer.
    var status: HTTPResponse.Status { get }

    /// The headers of the answer, beside those of its body.
    var headers: HTTPFields { get }

    /// The body of the answer.
    var body: APIErrorBody { get }
}

/// Why a service refuses a request, whichever service it is.
package enum RequestError: ServiceError, Equatable {
    /// The body is not what the path takes; `line` and `offset` say where, if anything does.
    case malformedBody(String, line: Int? = nil, offset: Int? = nil)

    /// The body, as it is sent, is larger than `limit` bytes.
    case bodyTooLarge(limit: Int)

    /// A parameter of the request cannot be used.
    case badParameter(name: String, String)

    /// Nothing is at the path; `document` lists the paths.
    case notFound(String, document: String)

    /// The path does not take the method.
    case methodNotAllowed(String, allowed: String)

    /// The service is shutting down and does not wait for the rest of the request.
    case shuttingDown

    /// The service failed.
    case internalError
}

extension RequestError {
    /// The one table of these errors.
    private var wire: (status: HTTPResponse.Status, code: APIError.Code, message: String) {
        switch self {
        case .malformedBody(let message, _, _): (.badRequest, "malformedBody", message)
        case .bodyTooLarge(let limit):
            (.contentTooLarge, "bodyTooLarge", "the body is larger than \(limit) bytes; send less at once")
        case .badParameter(let name, let message): (.badRequest, "badParameter", "\(name): \(message)")
        case .notFound(let path, let document):
            (.notFound, "notFound", "there is nothing at \(path); \(document) lists the paths")
        case .methodNotAllowed(let method, let allowed):
            (.methodNotAllowed, "methodNotAllowed", "\(method) is not possible here; \(allowed) is")
        case .shuttingDown:
            (.serviceUnavailable, "shuttingDown", "the service is shutting down; nothing of the request was accepted")
        case .internalError: (.internalServerError, "internalError", "the service failed; its log says why")
        }
    }

    /// The status of the answer.
    package var status: HTTPResponse.Status {
        wire.status
    }

    /// The stable name of the error.
    package var code: APIError.Code {
        wire.code
    }

    /// The message for a person.
    package var message: String {
        wire.message
    }

    /// The headers of the answer, beside those of its body (RFC 9110, 15.5.6 and 10.2.3).
    package var headers: HTTPFields {
        switch self {
        case .methodNotAllowed(_, let allowed): [.allow: allowed]
        case .shuttingDown: [.retryAfter: "1"]
        default: [:]
        }
    }

    /// The body of the answer.
    package var body: APIErrorBody {
        let error =
            if case .malformedBody(_, let line, let offset) = self {
                APIError(code: code, message: message, line: line, offset: offset)
            } else {
                APIError(code: code, message: message)
            }
        return APIErrorBody(error: error)
    }
}
