internal import Deflate
package import HTTPTypes
package import WaypostSchema

// What each fault is on the wire: the one place that knows status codes. docs/errors.md says the same for people.
extension GatewayFault {
    /// The status of the answer.
    package var status: HTTPResponse.Status {
        switch self {
        case .malformedBody, .badParameter: .badRequest
        case .badEncoding(let error): error.status
        case .bodyTooLarge, .tooManyItems: .contentTooLarge
        case .unsupportedCoding: .unsupportedMediaType
        case .notBuilt: .notImplemented
        case .unauthorized: .unauthorized
        case .unknownSecret, .unknownBatch, .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .shuttingDown: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }

    /// The stable name of the fault.
    package var code: APIError.Code {
        switch self {
        case .malformedBody: "malformedBody"
        case .badEncoding(let error): error.code
        case .bodyTooLarge: "bodyTooLarge"
        case .tooManyItems: "tooManyItems"
        case .unsupportedCoding: "unsupportedCoding"
        case .badParameter: "badParameter"
        case .notBuilt: "notBuilt"
        case .unauthorized: "unauthorized"
        case .unknownSecret: "unknownSecret"
        case .unknownBatch: "unknownBatch"
        case .notFound: "notFound"
        case .methodNotAllowed: "methodNotAllowed"
        case .shuttingDown: "shuttingDown"
        case .internalError: "internalError"
        }
    }

    /// What the answer says in headers beyond its body (RFC 9110, 11.6.1 and 15.5.6).
    package var headers: HTTPFields {
        switch self {
        case .unauthorized: [.wwwAuthenticate: "Bearer"]
        case .methodNotAllowed(_, let allowed): [.allow: allowed]
        default: [:]
        }
    }

    /// The body of the answer.
    package var body: APIErrorBody {
        APIErrorBody(error: APIError(code: code, message: message, line: line, offset: offset))
    }

    private var message: String {
        switch self {
        case .malformedBody(let message, _, _): message
        case .badEncoding(let error): "\(error); nothing of the batch was accepted"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes; send less at once"
        case .tooManyItems(let limit, _): "the batch has more than \(limit) items; send it in several batches"
        case .unsupportedCoding(let coding):
            "Content-Encoding '\(coding)' is not understood; gzip, deflate and identity are"
        case .badParameter(let name, let message): "\(name): \(message)"
        case .notBuilt(let feature): "\(feature) is not supported by this version; send the request without it"
        case .unauthorized: "show the agent's secret: Authorization: Bearer <secret>, as POST /v1/devices answered it"
        case .unknownSecret: "no agent has this secret; leave 'secret' out to make a new agent"
        case .unknownBatch(let id): "there is no batch \(id)"
        case .notFound(let path): "there is nothing at \(path); docs/openapi.yaml lists the paths"
        case .methodNotAllowed(let method, let allowed): "\(method) is not possible here; \(allowed) is"
        case .shuttingDown: "the gateway is shutting down; nothing of the request was accepted"
        case .internalError: "the gateway failed; its log says why"
        }
    }

    private var line: Int? {
        switch self {
        case .malformedBody(_, let line, _): line
        case .tooManyItems(_, let line): line
        default: nil
        }
    }

    private var offset: Int? {
        switch self {
        case .malformedBody(_, _, let offset): offset
        case .badEncoding(let error): error.offset
        default: nil
        }
    }
}

extension InflateError {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .truncated, .corrupt, .trailingInput, .dictionaryRequired: .badRequest
        case .outputLimitExceeded, .ratioLimitExceeded: .contentTooLarge
        }
    }

    fileprivate var code: APIError.Code {
        switch self {
        case .truncated: "truncatedEncoding"
        case .corrupt, .dictionaryRequired: "corruptEncoding"
        case .trailingInput: "trailingInput"
        case .outputLimitExceeded: "bodyTooLarge"
        case .ratioLimitExceeded: "ratioLimit"
        }
    }

    fileprivate var offset: Int? {
        switch self {
        case .truncated(let offset), .corrupt(let offset, _), .trailingInput(let offset),
            .dictionaryRequired(let offset):
            offset
        case .outputLimitExceeded, .ratioLimitExceeded: nil
        }
    }
}
