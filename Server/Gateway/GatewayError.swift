package import Deflate
package import GatewayStore
package import HTTPTypes
package import LocalService
package import WaypostSchema

/// Why the gateway refuses a whole request.
package enum GatewayError: Error, Sendable, Equatable {
    /// An error that every service may answer with.
    case request(RequestError)

    /// The body cannot be inflated.
    case badEncoding(InflateError)

    /// The batch has more than `limit` items.
    case tooManyItems(limit: Int, line: Int)

    /// The body's content coding is not one that is understood.
    case unsupportedCoding(String)

    /// The request does not show the secret of an agent.
    case unauthorized

    /// The request does not show the administrative token, which is found in `place`.
    case adminTokenRequired(place: String)

    /// No agent has the secret that a device wants to join with.
    case unknownSecret

    /// No batch has the identifier.
    case unknownBatch(BatchID)

    /// The log knows no notification that has the identifier.
    case unknownNotification(NotificationID)

    /// There is no key with the identifier.
    case unknownKey(ProviderKeyID)

    /// No fault with the identifier waits for sends.
    case unknownFault(FaultID)

    /// The namespace has no such channel.
    case unknownChannel(ChannelID)

    /// The device cannot be subscribed to the channels, for a reason that it can change.
    case cannotSubscribe(String)

    /// No device has the token.
    case unknownDevice(DeviceToken)

    /// A device has the token that another asks for.
    case tokenTaken(DeviceToken)

    /// The topic's notifications are lossless, whatever is asked for.
    case alwaysLossless(Topic)

    /// The idempotency key was used for another body.
    case idempotencyConflict(String)

    /// A batch that is taken whole or not at all is not taken, because of these items.
    case batchRefused([ItemResult], of: Int)

    /// The clock cannot be moved.
    case clockIsSystem

    /// As many batches are being taken in as may be.
    case tooManyRequests(limit: Int)

    /// More is being taken in than the gateway keeps in mind.
    case overloaded

    /// The store could not do what it was asked.
    case store(StoreError)
}

/// The errors that every service may answer with, as a gateway throws them.
extension GatewayError {
    /// Returns the error of a body that is not what the path takes.
    package static func malformedBody(_ message: String, line: Int? = nil, offset: Int? = nil) -> Self {
        .request(.malformedBody(message, line: line, offset: offset))
    }

    /// Returns the error of a body that is larger than `limit` bytes.
    package static func bodyTooLarge(limit: Int) -> Self {
        .request(.bodyTooLarge(limit: limit))
    }

    /// Returns the error of a parameter that cannot be used.
    package static func badParameter(name: String, _ message: String) -> Self {
        .request(.badParameter(name: name, message))
    }

    /// Returns the error of a path at which there is nothing.
    package static func notFound(_ path: String) -> Self {
        .request(.notFound(path, document: "docs/openapi.yaml"))
    }

    /// Returns the error of a path that does not take the method.
    package static func methodNotAllowed(_ method: String, allowed: String) -> Self {
        .request(.methodNotAllowed(method, allowed: allowed))
    }

    /// The gateway is shutting down and does not wait for the rest of the request.
    package static var shuttingDown: Self {
        .request(.shuttingDown)
    }

    /// The gateway failed.
    package static var internalError: Self {
        .request(.internalError)
    }
}

// What each fault is on the wire: the one place that knows status codes. docs/errors.md says the same for people.
extension GatewayError: ServiceError {
    /// The status of the answer.
    package var status: HTTPResponse.Status {
        switch self {
        case .request(let error): error.status
        case .badEncoding(let error): error.status
        case .tooManyItems: .contentTooLarge
        case .unsupportedCoding: .unsupportedMediaType
        case .unauthorized, .adminTokenRequired: .unauthorized
        case .unknownSecret, .unknownBatch, .unknownNotification, .unknownDevice, .unknownKey, .unknownFault,
            .unknownChannel:
            .notFound
        case .tokenTaken, .alwaysLossless, .idempotencyConflict, .clockIsSystem, .cannotSubscribe: .conflict
        case .batchRefused: .unprocessableContent
        case .tooManyRequests: .tooManyRequests
        case .overloaded: .serviceUnavailable
        case .store(let error): error.status
        }
    }

    /// The stable name of the error.
    package var code: APIError.Code {
        switch self {
        case .request(let error): error.code
        case .badEncoding(let error): error.code
        case .tooManyItems: "tooManyItems"
        case .unsupportedCoding: "unsupportedCoding"
        case .unauthorized, .adminTokenRequired: "unauthorized"
        case .unknownSecret: "unknownSecret"
        case .unknownBatch: "unknownBatch"
        case .unknownNotification: "unknownNotification"
        case .unknownDevice: "unknownDevice"
        case .unknownKey: "unknownKey"
        case .unknownFault: "unknownFault"
        case .unknownChannel: "unknownChannel"
        case .cannotSubscribe: "cannotSubscribe"
        case .tokenTaken: "tokenTaken"
        case .alwaysLossless: "alwaysLossless"
        case .idempotencyConflict: "idempotencyConflict"
        case .batchRefused: "batchRefused"
        case .clockIsSystem: "clockIsSystem"
        case .tooManyRequests: "tooManyRequests"
        case .overloaded: "overloaded"
        case .store(let error): error.code
        }
    }

    /// The headers of the answer, beside those of its body (RFC 9110, 11.6.1 and 15.5.6).
    package var headers: HTTPFields {
        switch self {
        case .unauthorized, .adminTokenRequired: [.wwwAuthenticate: "Bearer"]
        case .request(let error): error.headers
        default: retryAfter.map { [.retryAfter: "\($0)"] } ?? [:]
        }
    }

    /// The seconds after which the same request may fare better; `nil` where it will not.
    private var retryAfter: Int? {
        switch self {
        case .tooManyRequests, .overloaded, .store(.overloaded), .store(.busy): 1
        case .store(.readOnly), .store(.full): 30
        default: nil
        }
    }

    /// The body of the answer.
    package var body: APIErrorBody {
        APIErrorBody(error: APIError(code: code, message: message, line: line, offset: offset), results: results)
    }

    private var results: [ItemResult]? {
        if case .batchRefused(let results, _) = self { results } else { nil }
    }

    /// The message for a person.
    var message: String {
        switch self {
        case .request(let error): error.message
        case .badEncoding(let error): "\(error); nothing of the batch was accepted"
        case .tooManyItems(let limit, _): "the batch has more than \(limit) items; send it in several batches"
        case .unsupportedCoding(let coding):
            "Content-Encoding '\(coding)' is not understood; gzip, deflate and identity are"
        case .unauthorized: "show the agent's secret: Authorization: Bearer <secret>, as POST /v1/devices answered it"
        case .adminTokenRequired(let place):
            "show the administrative token: Authorization: Bearer <token>; it is in \(place)"
        case .unknownSecret: "no agent has this secret; leave 'secret' out to make a new agent"
        case .unknownBatch(let id): "there is no batch \(id) in this namespace"
        case .unknownNotification(let id):
            "the log of this namespace knows no notification \(id); what has ended is forgotten after a while"
        case .unknownKey(let id): "there is no key \(id) in this namespace"
        case .unknownFault(let id):
            "no fault \(id) waits for sends in this namespace; those that were used up are forgotten"
        case .unknownChannel(let id): "there is no channel '\(id)' in this namespace"
        case .cannotSubscribe(let reason): reason
        case .unknownDevice(let token): "no device of this namespace has the token \(token)"
        case .tokenTaken(let token):
            "a device has the token \(token); show its agent's secret to register it again, or unregister it first"
        case .alwaysLossless(let topic): "notifications for \(topic) are always kept lossless"
        case .idempotencyConflict(let key):
            "Idempotency-Key '\(key)' was used for another batch in the last 24 hours; nothing of this one was accepted"
        case .batchRefused(let results, let count):
            "\(results.count) of \(count) items are not acceptable, so that with atomic=true none was accepted"
        case .clockIsSystem: "the clock is the system's; start the gateway with --clock manual to move it"
        case .tooManyRequests(let limit):
            "\(limit) batches are being taken in; nothing of this one was accepted, send it again in a while"
        case .overloaded:
            "more is being taken in than fits; nothing of this request was accepted, send it again in a while"
        case .store(let error): error.message
        }
    }

    private var line: Int? {
        switch self {
        case .request(let error): error.body.error.line
        case .tooManyItems(_, let line): line
        case .batchRefused(let results, _): results.first?.line
        default: nil
        }
    }

    private var offset: Int? {
        switch self {
        case .request(let error): error.body.error.offset
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

extension StoreError {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .full: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        case .readOnly, .busy, .overloaded: .serviceUnavailable
        case .failed: .internalServerError
        }
    }

    fileprivate var code: APIError.Code {
        switch self {
        case .full: "storeFull"
        case .readOnly: "storeReadOnly"
        case .busy: "storeBusy"
        case .overloaded: "overloaded"
        case .failed: "storeFailed"
        }
    }

    fileprivate var message: String {
        switch self {
        case .full: "the gateway's disk is full; nothing of the request was stored"
        case .readOnly: "the gateway's data folder cannot be written; nothing of the request was stored"
        case .busy: "another program holds the gateway's database; nothing of the request was stored, send it again"
        case .overloaded:
            "more waits to be stored than fits; nothing of the request was stored, send it again in a while"
        case .failed: "the gateway's store failed, its log says why; nothing of the request is known to be stored"
        }
    }
}
