internal import Foundation
package import HTTPTypes
package import Hummingbird
package import WaypostSchema

/// An error that a service returns for a request.
package protocol ServiceError: Error, Sendable {
    /// The status of the response.
    var status: HTTPResponse.Status { get }

    /// The headers of the response, in addition to those of its body.
    var headers: HTTPFields { get }

    /// The body of the response.
    var body: APIErrorBody { get }
}

/// An error that any service may return for a request.
package enum RequestError: ServiceError, Equatable {
    /// The body is not valid for the path; `line` and `offset` are the position of the error, if available.
    case malformedBody(String, line: Int? = nil, offset: Int? = nil)

    /// The body, as sent, is larger than `limit` bytes.
    case bodyTooLarge(limit: Int)

    /// The target and the headers of the request are larger than `limit` bytes, or the headers are too many.
    case headTooLarge(limit: Int)

    /// A parameter of the request is not valid.
    case badParameter(name: String, String)

    /// A page of another web site may have sent the request.
    case foreignRequest(ForeignRequestError)

    /// There is no resource at the path; the document at `documentationPath` lists the paths.
    case notFound(String, documentationPath: String)

    /// The path does not accept the method.
    case methodNotAllowed(String, allowed: String)

    /// The service is shutting down and does not wait for the rest of the request.
    case shuttingDown

    /// The service failed.
    case internalError
}

extension RequestError {
    /// The status, code and message of the response.
    private var responseParts: (status: HTTPResponse.Status, code: APIError.Code, message: String) {
        switch self {
        case .malformedBody(let message, _, _): (.badRequest, "malformedBody", message)
        case .bodyTooLarge(let limit):
            (.contentTooLarge, "bodyTooLarge", "the body is larger than \(limit) bytes; send a smaller one")
        case .headTooLarge(let limit):
            (
                .requestHeaderFieldsTooLarge, "headTooLarge",
                """
                the head of the request is too large; use at most \(limit) bytes for the path and the headers, and at \
                most \(RequestHeadLimit.headerCount) headers
                """
            )
        case .badParameter(let name, let message): (.badRequest, "badParameter", "\(name): \(message)")
        case .foreignRequest(let error): (.forbidden, "foreignRequest", error.description)
        case .notFound(let path, let documentationPath):
            (.notFound, "notFound", "there is no resource at \(path); see \(documentationPath) for the paths")
        case .methodNotAllowed(let method, let allowed):
            (.methodNotAllowed, "methodNotAllowed", "\(method) is not allowed here; accepted: \(allowed)")
        case .shuttingDown:
            (.serviceUnavailable, "shuttingDown", "the service is shutting down; nothing in the request was accepted")
        case .internalError: (.internalServerError, "internalError", "the service failed; see its log")
        }
    }

    /// The status of the response.
    package var status: HTTPResponse.Status {
        responseParts.status
    }

    /// The stable name of the error.
    package var code: APIError.Code {
        responseParts.code
    }

    /// The human-readable message.
    package var message: String {
        responseParts.message
    }

    /// The headers of the response, in addition to those of its body (RFC 9110, 15.5.6 and 10.2.3).
    package var headers: HTTPFields {
        switch self {
        case .methodNotAllowed(_, let allowed): [.allow: allowed]
        case .shuttingDown: [.retryAfter: "1"]
        default: [:]
        }
    }

    /// The body of the response.
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

extension RequestContext {
    /// Returns a component of the path without its percent encoding.
    ///
    /// - Parameter name: the component's name in the pattern of the path.
    /// - Returns: the component.
    /// - Throws: `RequestError.badParameter` if its encoding is invalid.
    package func pathComponent(_ name: String) throws -> String {
        try PathComponent.decode(try parameters.require(name), name)
    }
}

/// Components of a path.
package enum PathComponent {
    /// Returns a component without its percent encoding.
    ///
    /// - Parameters:
    ///   - encoded: the component in the path.
    ///   - name: the component's name in the pattern of the path.
    /// - Returns: the component.
    /// - Throws: `RequestError.badParameter` if its encoding is invalid.
    package static func decode(_ encoded: String, _ name: String) throws(RequestError) -> String {
        guard let component = encoded.removingPercentEncoding else {
            throw .badParameter(name: name, "'\(encoded)' is not a percent-encoded path component")
        }
        return component
    }
}
