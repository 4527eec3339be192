internal import Foundation
internal import GatewayClient
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import WaypostSchema

/// Why an agent refuses a request, on either of its APIs.
enum AgentFault: Error, Sendable, Equatable {
    /// The agent has no device of the name.
    case unknownDevice(String)

    /// The agent has a device of the name already.
    case deviceExists(String)

    /// The device has no notification with the identifier.
    case unknownNotification(NotificationID, device: String)

    /// No activity of another device is offered by the notification.
    case unknownActivity(NotificationID, device: String)

    /// The body is not what it has to be.
    case malformedBody(String)

    /// The body is longer than is read.
    case bodyTooLarge(limit: Int)

    /// The journal does not take what is to happen.
    case cannotKeep(String)

    /// The device has no such app.
    case unknownApp(BundleIdentifier, device: String)

    /// What was to happen changed nothing.
    case ignored(IgnoredEvent)

    /// A parameter of the query cannot be used.
    case badParameter(String, String)

    /// A parameter of the query is needed.
    case missingParameter(String)

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
    case highlight(HighlightFault.Code)

    /// Nothing is at the path.
    case notFound(String)

    /// What is at the path does not take the method.
    case methodNotAllowed(String, allowed: String)

    /// The agent failed.
    case internalError
}

// MARK: On the wire

extension AgentFault {
    /// The one table that says what a fault is on the wire.
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
        case .malformedBody(let reason): (.badRequest, "malformedBody", reason)
        case .bodyTooLarge(let limit):
            (.contentTooLarge, "bodyTooLarge", "the body is longer than \(limit) bytes, which is the most that is read")
        case .cannotKeep(let reason):
            (
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "storeFull",
                "it did not happen, as the journal does not take it: \(reason)"
            )
        case .unknownApp(let app, let device):
            (.notFound, "unknownApp", "the device '\(device)' has no app \(app)")
        case .ignored(let ignored):
            (ignored.reason.status, APIError.Code(rawValue: ignored.reason.rawValue), ignored.explanation)
        case .badParameter(let name, let reason): (.badRequest, "badParameter", "\(name): \(reason)")
        case .missingParameter(let name):
            (.badRequest, "badParameter", "the parameter '\(name)' is missing: ?\(name)=…, with its escapes")
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
        case .notFound(let path):
            (.notFound, "notFound", "there is nothing at \(path); docs/openapi-agent.yaml lists the paths")
        case .methodNotAllowed(let method, let allowed):
            (.methodNotAllowed, "methodNotAllowed", "this path does not take \(method), but \(allowed)")
        case .internalError: (.internalServerError, "internalError", "the agent failed; its log says why")
        }
    }

    /// The status of the answer.
    var status: HTTPResponse.Status {
        wire.status
    }

    /// The name of the fault, for programs.
    var code: APIError.Code {
        wire.code
    }

    /// The answer.
    func response() throws -> Response {
        let wire = wire
        var response = try JSONAnswer.make(
            APIErrorBody(error: APIError(code: wire.code, message: wire.message)),
            status: wire.status
        )
        if case .methodNotAllowed(_, let allowed) = self { response.headers[.allow] = allowed }
        return response
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

/// Turns every error of a request into its answer.
struct AgentFaultMiddleware<Context: RequestContext>: RouterMiddleware {
    let paths: KnownPaths
    let logger: Logger

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let fault as AgentFault {
            return try fault.response()
        } catch let error as HTTPError where error.status == .notFound {
            return try paths.fault(of: request).response()
        } catch {
            logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return try AgentFault.internalError.response()
        }
    }
}
