internal import Foundation
internal import GatewayClient
internal import HTTPTypes
internal import LocalService
internal import WaypostSchema

/// The reason why an agent refuses a request, on either of its APIs, in addition to those of every service
/// (`RequestError`).
enum AgentError: Error, Sendable, Equatable {
    /// The agent has no device with the name.
    case unknownDevice(String)

    /// The agent already has a device with the name.
    case deviceExists(String)

    /// The device has no notification with the identifier.
    case unknownNotification(NotificationID, device: String)

    /// The device has no offered activity with the identifier.
    case unknownOfferedActivity(NotificationID, device: String)

    /// The journal cannot store the event.
    case journalWriteFailed(String)

    /// The secret was not replaced, because the next one cannot be stored.
    case credentialWriteFailed(String)

    /// The journal at the path was removed or replaced while the agent ran.
    case dataMoved(String)

    /// The device has no such app.
    case unknownApp(BundleIdentifier, device: String, apps: [BundleIdentifier])

    /// The event changed nothing.
    case ignored(IgnoredEvent)

    /// There is no such attribution view, or it has ended.
    case unknownView(AttributionViewID)

    /// The scene has no activity that another device could continue.
    case noActivity(BundleIdentifier)

    /// The clock follows the system's time, and cannot be moved.
    case clockIsSystem

    /// The clock cannot move backward.
    case clockGoesBack

    /// The device is in Airplane Mode.
    case offline(String)

    /// The gateway has not registered the device yet.
    case notRegistered(String)

    /// The gateway refused a request of the agent.
    case gateway(String)

    /// A request failed after the device got another token of its own.
    indirect case tokenReplaced(before: AgentError)

    /// The request has no valid credential of an app.
    case unauthorized

    /// The request to the control API does not have its token.
    case controlTokenRequired

    /// The device has as many snapshots as it may.
    case tooManySnapshots(limit: Int)

    /// The framework's error for an app that may not have a highlight, without the reason, which the app may not know.
    case highlight(HighlightError.Code)
}

// MARK: On the wire

extension AgentError: ServiceError {
    /// The status, code and message of the error's answer.
    private var answer: (status: HTTPResponse.Status, code: APIError.Code, message: String) {
        switch self {
        case .unknownDevice(let name):
            (
                .notFound, "unknownDevice",
                name.utf8.count >= 32 && name.allSatisfy(\.isHexDigit)
                    ? "'\(name)' is a token; this path takes the name of a device, and GET /v1/devices lists both"
                    : "there is no device '\(name)'; GET /v1/devices lists the devices"
            )
        case .deviceExists(let name):
            (.conflict, "deviceExists", "there is already a device '\(name)'; choose another name")
        case .unknownNotification(let id, let device):
            (.notFound, "unknownNotification", "the device '\(device)' has no notification \(id)")
        case .unknownOfferedActivity(let id, let device):
            (.notFound, "unknownActivity", "no activity \(id) is offered on the device '\(device)'")
        case .journalWriteFailed(let reason):
            (
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "storeFull",
                "the event was not applied, because the journal cannot store it: \(reason)"
            )
        case .credentialWriteFailed(let reason):
            (
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "storeFull",
                "the secret was not replaced, because the next one cannot be stored: \(reason)"
            )
        case .dataMoved(let path):
            (
                .serviceUnavailable, "storeMoved",
                "the journal is neither written nor read: \(path) was removed or replaced while the agent ran; "
                    + "restart the agent"
            )
        case .unknownApp(let app, let device, let apps):
            (.notFound, "unknownApp", "the device '\(device)' has no app \(app); \(app.hint(among: apps))")
        case .ignored(let ignored):
            (ignored.reason.status, APIError.Code(rawValue: ignored.reason.rawValue), ignored.explanation)
        case .unknownView(let view):
            (.notFound, "unknownView", "there is no attribution view \(view), or it ended with its highlight")
        case .noActivity(let app):
            (.conflict, "nothingToHandOn", "the scene of \(app) has no activity; the app must set one first")
        case .clockIsSystem:
            (.conflict, "clockIsSystem", "the clock follows the system's time; start the agent with --clock manual")
        case .clockGoesBack:
            (.badRequest, "clockGoesBack", "the clock only moves forward; give a 'by' of 0 or more, or a later 'to'")
        case .offline(let device): (.conflict, "offline", "the device '\(device)' is in Airplane Mode")
        case .notRegistered(let device):
            (.conflict, "notRegistered", "the gateway has not registered the device '\(device)' yet; try again later")
        case .gateway(let reason): (.badGateway, "gatewayRefused", reason)
        case .tokenReplaced(let error):
            (
                error.answer.status, error.answer.code,
                error.answer.message
                    + "; the device nevertheless has another token of its own, and the earlier one has ended"
            )
        case .unauthorized:
            (
                .unauthorized, "unauthorized",
                "send the app's credential: Authorization: Bearer …; installing the app returns it"
            )
        case .tooManySnapshots(let limit):
            (
                .conflict, "tooManySnapshots",
                "the device has \(limit) snapshots, the maximum; take it under the name of one, which it replaces"
            )
        case .controlTokenRequired:
            (
                .unauthorized, "unauthorized",
                "send the control token: Authorization: Bearer …; it is in the agent's ready file"
            )
        case .highlight(.invalidURL): (.badRequest, "invalidURL", "not a web URL; use http or https")
        case .highlight(.accessDenied): (.forbidden, "accessDenied", "the app has no access to a highlight for the URL")
        case .highlight(.internalError):
            (.serviceUnavailable, "internalError", "not known yet; try again later")
        }
    }

    /// The status of the answer.
    var status: HTTPResponse.Status {
        answer.status
    }

    /// The code of the error, for programs.
    var code: APIError.Code {
        answer.code
    }

    /// The headers of the answer, in addition to those of its body.
    var headers: HTTPFields {
        switch self {
        case .journalWriteFailed, .credentialWriteFailed: [.retryAfter: "30"]
        case .tokenReplaced(let error): error.headers
        default: [:]
        }
    }

    /// The body of the answer.
    var body: APIErrorBody {
        let answer = answer
        return APIErrorBody(error: APIError(code: answer.code, message: answer.message))
    }
}

extension AgentError: CustomStringConvertible {
    /// The message of the error's answer, for the log.
    var description: String {
        answer.message
    }
}

extension IgnoredEvent.Reason {
    /// The status: 404 if something does not exist, 400 if something cannot be used, 409 if the state does not allow
    /// it.
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .unknownApp, .unknownContact, .unknownConversation, .unknownMessage, .unknownLink, .unknownView,
            .unknownMenuItem, .unknownScene, .unknownShortcutItem, .unknownActivation, .unknownNotification,
            .unknownSnapshot, .unknownAction, .unknownCall, .unknownLiveActivity, .unknownURLScheme, .unknownToken,
            .noHighlight:
            .notFound
        case .unusableDescription, .notAWebURL, .unusableCondition, .repeatedShortcutItem, .noName, .noMessagesEvent,
            .noActivity, .unusableTokenName:
            .badRequest
        case .repeatedMessage, .deletedMessage, .resolvedBefore, .notPinned, .notRemoved, .noOpenOffer,
            .displayContextTooLate, .notPresented, .notInForeground, .oneSceneOnly, .noDeclarationMatches, .locked,
            .waitsForExtension, .unusableText, .undeclaredToken:
            .conflict
        }
    }
}
