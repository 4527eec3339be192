package import Deflate
package import GatewayStore
package import HTTPTypes
package import LocalService
package import WaypostSchema

/// An error for a whole request that the gateway refuses.
package enum GatewayError: Error, Sendable, Equatable {
    /// An error that every service may return.
    case request(RequestError)

    /// The body cannot be inflated.
    case badEncoding(InflateError)

    /// The batch has more than `limit` items.
    case tooManyItems(limit: Int, line: Int)

    /// The request asks for more than `limit` results.
    case tooManyResults(limit: Int)

    /// The answer would have more than `limit` bytes.
    case answerTooLarge(limit: Int)

    /// The answer takes more work than is allowed for one request.
    case tooMuchWork

    /// The body's content coding is not supported.
    case unsupportedCoding(String)

    /// The request does not contain the secret of an agent.
    case unauthorized

    /// The request does not contain the administrative token; `location` is where the user finds it.
    case adminTokenRequired(location: String)

    /// No agent has the secret of the agent that a device wants to join.
    case unknownSecret

    /// Another agent has the new secret.
    case secretTaken

    /// No batch has the identifier.
    case unknownBatch(BatchID)

    /// No notification in the log has the identifier.
    case unknownNotification(NotificationID)

    /// No stream of this gateway belongs to the agent with the number.
    case unknownStream(String)

    /// No agent with the identifier is linked to this gateway.
    case unknownAgent(AgentLinkID)

    /// The maximum number of agents is already linked to this gateway.
    case tooManyAgents(limit: Int)

    /// The agent left, or did not respond in time.
    case noAnswer(AgentLinkID)

    /// The content type of the agent's response is not one that control APIs have.
    case badAgentAnswer(AgentLinkID, String?)

    /// Nobody waits for the response of the agent to the request with the number.
    case unknownRelayedRequest(String)

    /// No run with the identifier reported to this gateway.
    case unknownRun(RunID)

    /// The run has ended, and has no more events.
    case endedRun(RunID)

    /// The gateway has no payload of the notification any more.
    case unknownPayload(NotificationID)

    /// Another backup is being made or sent.
    case backupInProgress

    /// The store has its own tools for backups.
    case backupElsewhere

    /// The gateway has no authority of its own, which signs the certificate of the provider listener.
    case noAuthority

    /// No key has the identifier.
    case unknownKey(ProviderKeyID)

    /// No pending fault has the identifier.
    case unknownFault(FaultID)

    /// The namespace has no such channel.
    case unknownChannel(ChannelID)

    /// The device cannot be subscribed to the channels, for a reason that the client can fix.
    case cannotSubscribe(String)

    /// No device has the token.
    case unknownDevice(DeviceToken)

    /// Another device already has the token.
    case tokenTaken(DeviceToken)

    /// The storage mode of the topic is always lossless.
    case alwaysLossless(Topic)

    /// The idempotency key was used for another batch.
    case idempotencyConflict(String)

    /// A batch is refused because of these items: it is atomic, or none of its items is valid.
    case batchRefused([ItemResult], of: Int)

    /// The clock is the system's and cannot be moved.
    case clockIsSystem

    /// The maximum number of batches is already in progress.
    case tooManyRequests(limit: Int)

    /// The gateway would exceed its memory limits.
    case overloaded

    /// The store could not complete the operation.
    case store(StoreError)
}

/// The errors that every service may return, as gateway errors.
extension GatewayError {
    /// Returns the error for a body that is not valid for the path.
    package static func malformedBody(_ message: String, line: Int? = nil, offset: Int? = nil) -> Self {
        .request(.malformedBody(message, line: line, offset: offset))
    }

    /// Returns the error for a body that is larger than `limit` bytes.
    package static func bodyTooLarge(limit: Int) -> Self {
        .request(.bodyTooLarge(limit: limit))
    }

    /// Returns the error for a parameter that is not valid.
    package static func badParameter(name: String, _ message: String) -> Self {
        .request(.badParameter(name: name, message))
    }

    /// Returns the error for a path without a resource.
    package static func notFound(_ path: String) -> Self {
        .request(.notFound(path, documentationPath: "docs/openapi.yaml"))
    }

    /// Returns the error for a path that does not accept the method.
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

// The HTTP form of each error. This is the only place that contains status codes; docs/errors.md is the documentation.
extension GatewayError: ServiceError {
    /// The status of the response.
    package var status: HTTPResponse.Status {
        switch self {
        case .request(let error): error.status
        case .badEncoding(let error): error.status
        case .tooManyItems, .tooManyResults, .answerTooLarge, .tooMuchWork: .contentTooLarge
        case .unsupportedCoding: .unsupportedMediaType
        case .unauthorized, .adminTokenRequired: .unauthorized
        case .unknownSecret, .unknownBatch, .unknownNotification, .unknownDevice, .unknownKey, .unknownFault,
            .unknownChannel, .unknownStream, .unknownAgent, .unknownRelayedRequest, .unknownPayload, .unknownRun,
            .noAuthority:
            .notFound
        case .noAnswer, .badAgentAnswer: .badGateway
        case .secretTaken, .tokenTaken, .alwaysLossless, .idempotencyConflict, .clockIsSystem, .cannotSubscribe,
            .backupElsewhere, .endedRun:
            .conflict
        case .batchRefused: .unprocessableContent
        case .tooManyRequests, .tooManyAgents: .tooManyRequests
        case .overloaded, .backupInProgress: .serviceUnavailable
        case .store(let error): error.status
        }
    }

    /// The stable name of the error.
    package var code: APIError.Code {
        switch self {
        case .request(let error): error.code
        case .badEncoding(let error): error.code
        case .tooManyItems: "tooManyItems"
        case .tooManyResults: "tooManyResults"
        case .answerTooLarge: "answerTooLarge"
        case .tooMuchWork: "tooMuchWork"
        case .unsupportedCoding: "unsupportedCoding"
        case .unauthorized, .adminTokenRequired: "unauthorized"
        case .unknownSecret: "unknownSecret"
        case .secretTaken: "secretTaken"
        case .unknownBatch: "unknownBatch"
        case .unknownNotification: "unknownNotification"
        case .unknownDevice: "unknownDevice"
        case .unknownStream: "unknownStream"
        case .unknownAgent: "unknownAgent"
        case .tooManyAgents: "tooManyAgents"
        case .noAnswer: "noAnswer"
        case .badAgentAnswer: "badAgentAnswer"
        case .unknownRelayedRequest: "unknownRelayedRequest"
        case .unknownPayload: "unknownPayload"
        case .unknownRun: "unknownRun"
        case .endedRun: "endedRun"
        case .backupElsewhere: "backupElsewhere"
        case .noAuthority: "noAuthority"
        case .backupInProgress: "backupInProgress"
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

    /// The headers of the response, in addition to those of its body (RFC 9110, 11.6.1 and 15.5.6).
    package var headers: HTTPFields {
        switch self {
        case .unauthorized, .adminTokenRequired: [.wwwAuthenticate: "Bearer"]
        case .request(let error): error.headers
        default: retryAfter.map { [.retryAfter: "\($0)"] } ?? [:]
        }
    }

    /// The seconds after which the same request may succeed, or `nil` if it will not.
    private var retryAfter: Int? {
        switch self {
        case .backupInProgress, .tooManyAgents: 10
        case .tooManyRequests, .overloaded, .store(.overloaded), .store(.busy), .store(.unavailable): 1
        case .store(.readOnly), .store(.full): 30
        default: nil
        }
    }

    /// The body of the response.
    package var body: APIErrorBody {
        APIErrorBody(error: APIError(code: code, message: message, line: line, offset: offset), results: results)
    }

    private var results: [ItemResult]? {
        if case .batchRefused(let results, _) = self { results } else { nil }
    }

    /// The human-readable message.
    var message: String {
        switch self {
        case .request(let error): error.message
        case .badEncoding(let error): "\(error); no item of the batch was accepted"
        case .tooManyItems(let limit, _): "the batch has more than \(limit) items; split it into several batches"
        case .tooManyResults(let limit):
            "the answer would have more than \(limit) results: one for each URL, app and rule of the app; "
                + "send fewer URLs, or a file with fewer apps and rules"
        case .answerTooLarge(let limit): "the answer would have more than \(limit) bytes; send fewer or shorter URLs"
        case .tooMuchWork: "matching these URLs takes more work than one request may cause; send fewer or shorter URLs"
        case .unsupportedCoding(let coding):
            "Content-Encoding '\(coding)' is not supported; gzip, deflate and identity are accepted"
        case .unauthorized: "send the agent's secret from POST /v1/devices: Authorization: Bearer <secret>"
        case .adminTokenRequired(let location):
            "send the administrative token: Authorization: Bearer <token>; it is in \(location)"
        case .unknownSecret: "no agent has this secret; omit 'secret' to create a new agent"
        case .secretTaken: "another agent has this secret; send another random one"
        case .unknownBatch(let id): "there is no batch \(id) in this namespace"
        case .unknownNotification(let id):
            "there is no notification \(id) in this namespace's log; the log deletes ended notifications after a while"
        case .unknownStream(let agent):
            "no stream of this gateway in this namespace belongs to the agent '\(agent)'; GET /v1/streams lists them"
        case .unknownAgent(let id):
            "no agent '\(id)' is linked to this gateway in this namespace; GET /v1/agents lists them"
        case .tooManyAgents(let limit):
            "\(limit) agents are linked to this gateway, the maximum; stop agents that are not needed"
        case .noAnswer(let id): "the agent '\(id)' left, or did not answer in time"
        case .badAgentAnswer(let id, let type):
            "the agent '\(id)' answered with "
                + (type.map { "the content type '\($0.prefix(100))'" } ?? "no content type")
                + "; only JSON, SVG and event streams are passed on"
        case .unknownRelayedRequest(let number): "nobody waits for the answer to the request '\(number)' any more"
        case .unknownRun(let id):
            "no run '\(id)' of this namespace is known; the gateway keeps the last ones, and GET /v1/runs lists them"
        case .endedRun(let id): "the run '\(id)' has ended; announce another with POST /v1/runs"
        case .unknownPayload(let id):
            "the payload of the notification \(id) is not known any more; this gateway keeps those of its last ones"
        case .backupInProgress: "another backup is being made or sent; retry later"
        case .noAuthority:
            "the gateway has no certificate authority; start it with --provider or --proxy, and without --provider-certificate"
        case .backupElsewhere: "the gateway's store is PostgreSQL; use its tools, such as pg_dump, to make a backup"
        case .unknownKey(let id): "there is no key \(id) in this namespace"
        case .unknownFault(let id):
            "there is no fault \(id) in this namespace; faults that are used up are removed"
        case .unknownChannel(let id): "there is no channel '\(id)' in this namespace"
        case .cannotSubscribe(let reason): reason
        case .unknownDevice(let token): "no device in this namespace has the token \(token)"
        case .tokenTaken(let token):
            "another device has the token \(token); register with its agent's secret, or unregister it first"
        case .alwaysLossless(let topic): "the storage mode of \(topic) is always lossless"
        case .idempotencyConflict(let key):
            "Idempotency-Key '\(key)' was used for another batch in the last 24 hours; no item of this one was accepted"
        case .batchRefused(let results, let count):
            results.count == count
                ? "none of the \(count) items is valid, so nothing of the batch was stored"
                : "\(results.count) of \(count) items are not valid; with atomic=true, no item was accepted"
        case .clockIsSystem: "the gateway uses the system clock; start it with --clock manual to move the clock"
        case .tooManyRequests(let limit):
            "\(limit) batches are in progress, the maximum; no item of this one was accepted; retry later"
        case .overloaded:
            "the gateway is overloaded; nothing in the request was accepted; retry later"
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
        case .readOnly, .moved, .busy, .overloaded, .unavailable: .serviceUnavailable
        case .failed, .outcomeUnknown: .internalServerError
        }
    }

    fileprivate var code: APIError.Code {
        switch self {
        case .full: "storeFull"
        case .readOnly: "storeReadOnly"
        case .moved: "storeMoved"
        case .busy: "storeBusy"
        case .overloaded: "overloaded"
        case .unavailable: "storeUnavailable"
        case .outcomeUnknown: "storeOutcomeUnknown"
        case .failed: "storeFailed"
        }
    }

    fileprivate var message: String {
        switch self {
        case .full: "the gateway's disk is full; nothing in the request was stored"
        case .readOnly: "the gateway cannot write to its data folder; nothing in the request was stored"
        case .moved:
            "the gateway's data folder was removed or replaced while it ran; nothing in the request was stored; "
                + "restart the gateway"
        case .busy: "another program has locked the gateway's database; nothing in the request was stored; retry"
        case .overloaded:
            "too many items wait to be stored; nothing in the request was stored; retry later"
        case .unavailable: "the gateway cannot reach its store; nothing in the request was stored; retry later"
        case .outcomeUnknown:
            "the gateway's store failed while it stored the request, which may be stored or not; "
                + "send it again with the same Idempotency-Key, or look whether it is there"
        case .failed: "the gateway's store failed (see the gateway's log); nothing in the request was stored"
        }
    }
}
