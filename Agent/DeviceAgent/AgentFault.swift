internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import WaypostSchema

/// Why the control API refuses a request, and what that is on the wire.
enum AgentFault: Error, Sendable, Equatable {
    /// The agent has no device of the name.
    case unknownDevice(String)

    /// The device has no notification with the identifier.
    case unknownNotification(NotificationID, device: String)

    /// The body is no event.
    case malformedBody(String)

    /// The journal does not take what is to happen.
    case cannotKeep(String)

    /// The device has no such app.
    case unknownApp(BundleIdentifier, device: String)

    /// A parameter of the query cannot be used.
    case badParameter(String, String)

    /// A parameter of the query is needed.
    case missingParameter(String)

    /// Nothing is at the path.
    case notFound(String)

    /// The agent failed.
    case internalError
}

extension AgentFault {
    var status: HTTPResponse.Status {
        switch self {
        case .unknownDevice, .unknownNotification, .unknownApp, .notFound: .notFound
        case .missingParameter, .badParameter, .malformedBody: .badRequest
        case .cannotKeep: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        case .internalError: .internalServerError
        }
    }

    var body: APIErrorBody {
        APIErrorBody(error: APIError(code: code, message: message))
    }

    private var code: APIError.Code {
        switch self {
        case .unknownDevice: "unknownDevice"
        case .unknownNotification: "unknownNotification"
        case .unknownApp: "unknownApp"
        case .missingParameter, .badParameter: "badParameter"
        case .malformedBody: "malformedBody"
        case .cannotKeep: "storeFull"
        case .notFound: "notFound"
        case .internalError: "internalError"
        }
    }

    private var message: String {
        switch self {
        case .unknownDevice(let name): "there is no device '\(name)' here; GET /v1/devices lists the devices"
        case .unknownNotification(let id, let device): "the device '\(device)' has no notification \(id)"
        case .missingParameter(let name): "the parameter '\(name)' is missing: ?\(name)=…, with its escapes"
        case .unknownApp(let app, let device): "the device '\(device)' has no app \(app)"
        case .badParameter(let name, let reason): "\(name): \(reason)"
        case .malformedBody(let reason): reason
        case .cannotKeep(let reason): "it did not happen, as the journal does not take it: \(reason)"
        case .notFound(let path): "there is nothing at \(path); docs/openapi.yaml lists the paths"
        case .internalError: "the agent failed; its log says why"
        }
    }
}
