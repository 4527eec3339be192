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
        case .unknownDevice, .unknownNotification, .notFound: .notFound
        case .missingParameter: .badRequest
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
        case .missingParameter: "badParameter"
        case .notFound: "notFound"
        case .internalError: "internalError"
        }
    }

    private var message: String {
        switch self {
        case .unknownDevice(let name): "there is no device '\(name)' here; GET /v1/devices lists the devices"
        case .unknownNotification(let id, let device): "the device '\(device)' has no notification \(id)"
        case .missingParameter(let name): "the parameter '\(name)' is missing: ?\(name)=…, with its escapes"
        case .notFound(let path): "there is nothing at \(path); docs/openapi.yaml lists the paths"
        case .internalError: "the agent failed; its log says why"
        }
    }
}
