internal import Foundation
internal import GatewayClient
internal import HTTPTypes
internal import LocalService
internal import WaypostSchema

/// Why an agent refuses a request, on either of its APIs, beside what every service may answer with (`RequestError`).
enum AgentError: Error, Sendable, Equatable {
    /// The agent has no device of the name.
    case unknownDevice(String)

    /// The agent has a device of the name already.
    case deviceExists(String)

    /// The device has no notification with the identifier.
    case unknownNotification(NotificationID, device: String)

    /// No activity of another device is offered by the notification.
    case unknownActivity(NotificationID, device: String)

    /// The journal does not take what is to happen.
    case cannotKeep(String)

    /// The device has no such app.
    case unknownApp(BundleIdentifier, device: String)

    /// What was to happen changed nothing.
    case ignored(IgnoredEvent)

    /// There is no such attribution view, or it has ended.
    case unknownView(AttributionViewID)

    /// The scene has no activity that could go on elsewhere.
    case noActivity(BundleIdentifier)

    /// The time comes from the system and is not moved.
    case clockIsSystem

    /// The clock does not go back.
    case clockGoesBack

    /// The device is offline by the person's wish.
    case offline(String)

    /// The gateway does not do what was asked of it.
    case gateway(String)

    /// The request shows no credential of an app.
    case unauthorized

    /// The framework's error for an app that may not have a highlight; what stood in the way is not for the app.
    case highlight(HighlightError.Code)
}

// MARK: On the wire

extension AgentError: ServiceError {
    /// The one table that says what an error is on the wire.
    private var wire: (status: HTTPResponse.Status, code: APIError.Code, message: String) {
        switch self {
        case .unknownDevice(let name):
            (.notFound, "unknownDevice", "there is no device '\(name)' here; GET /v1/devices lists the devices")
        case .deviceExists(let name):
            (.conflict, "deviceExists", "there is a device '\(name)' here already; give the copy another name")
        case .unknownNotification(let id, let device):
            (.notFound, "unknownNotification", "the device '\(device)' has no notification \(id)")
        case .unknownActivity(let id, let device):
            (.notFound, "unknownActivity", "no activity \(id) is offered on the device '\(device)'")
        case .cannotKeep(let reason):
            (
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "storeFull",
                "it did not happen, as the journal does not take it: \(reason)"
            )
        case .unknownApp(let app, let device):
            (.notFound, "unknownApp", "the device '\(device)' has no app \(app)")
        case .ignored(let ignored):
            (ignored.reason.status, APIError.Code(rawValue: ignored.reason.rawValue), ignored.explanation)
        case .unknownView(let view):
            (.notFound, "unknownView", "there is no attribution view \(view), or it has ended with its highlight")
        case .noActivity(let app):
            (.conflict, "nothingToHandOn", "no scene of \(app) in front has an activity; its app sets one")
        case .clockIsSystem:
            (.conflict, "clockIsSystem", "the time comes from the system; start the agent with --clock manual")
        case .clockGoesBack:
            (.badRequest, "clockGoesBack", "the clock goes forward only: give a 'by' from 0, or a later 'to'")
        case .offline(let device): (.conflict, "offline", "the device '\(device)' is in Airplane Mode")
        case .gateway(let reason): (.badGateway, "gatewayRefused", reason)
        case .unauthorized:
            (
                .unauthorized, "unauthorized",
                "show the app's credential: Authorization: Bearer …; whoever installs the app is given it"
            )
        case .highlight(.invalidURL): (.badRequest, "invalidURL", "the URL is none of the web")
        case .highlight(.accessDenied): (.forbidden, "accessDenied", "the app has no access to a highlight for the URL")
        case .highlight(.internalError):
            (.serviceUnavailable, "internalError", "there is no telling now; it may be better later")
        }
    }

    /// The status of the answer.
    var status: HTTPResponse.Status {
        wire.status
    }

    /// The name of the error, for programs.
    var code: APIError.Code {
        wire.code
    }

    /// The headers of the answer, beside those of its body.
    var headers: HTTPFields {
        [:]
    }

    /// The body of the answer.
    var body: APIErrorBody {
        let wire = wire
        return APIErrorBody(error: APIError(code: wire.code, message: wire.message))
    }
}

extension IgnoredEvent.Reason {
    /// What is not there is 404, what cannot be used 400, and what is not so now 409.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .unknownApp, .unknownContact, .unknownConversation, .unknownMessage, .unknownLink, .unknownView,
            .unknownMenuItem, .unknownScene, .unknownShortcutItem, .unknownActivation, .unknownNotification,
            .unknownSnapshot, .noHighlight:
            .notFound
        case .unusableDescription, .notAWebURL, .unusableCondition, .repeatedShortcutItem, .noName, .noMessagesEvent,
            .noActivity:
            .badRequest
        case .repeatedMessage, .deletedMessage, .resolvedBefore, .notPinned, .notRemoved, .noOpenOffer,
            .displayContextTooLate, .notPresented, .notInForeground, .oneSceneOnly:
            .conflict
        }
    }
}
