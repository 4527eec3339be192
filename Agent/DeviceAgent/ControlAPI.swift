internal import DeviceModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import WaypostSchema

/// The API for scripts and for the person at the device: what is there, opening a notification, and why a link would
/// open an app.
struct ControlAPI {
    let device: Device
    let associations: AssociationChecks
    let port: Int
    let sources: AgentSources
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// The address that the API listens on: whoever reaches it is the person at the device.
    static let host = "127.0.0.1"

    /// The web application, which serves until a graceful shutdown.
    func application() -> some ApplicationProtocol {
        Application(
            router: router(),
            configuration: .init(address: .hostname(Self.host, port: port)),
            onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: AgentFaultMiddleware(logger: logger))
        router.get("health") { _, _ in try Self.response(Health(schema: SchemaVersion.current)) }
        router.get("v1/devices") { _, _ in try Self.response([device.status]) }
        router.get("v1/devices/:name/notifications") { _, context in
            try Self.response(try named(context).notifications)
        }
        router.get("v1/devices/:name/scenes") { _, context in
            try Self.response(try named(context).apps)
        }
        router.get("v1/devices/:name/associations") { _, context in
            try Self.response(try named(context).associationFiles)
        }
        router.post("v1/devices/:name/associations/check") { _, context in
            let device = try named(context)
            await associations.check(device.neededDomains)
            return try Self.response(device.associationFiles)
        }
        router.get("v1/devices/:name/explain") { request, context in
            let device = try named(context)
            guard let url = request.uri.queryParameters.get("url") else { throw AgentFault.missingParameter("url") }
            return try Self.response(device.linkDecisions(on: url))
        }
        router.post("v1/devices/:name/notifications/:id/open") { _, context in
            let id = NotificationID(rawValue: try Self.parameter("id", context))
            return try Self.response(try open(id, on: try named(context)))
        }
        return router
    }

    private func named(_ context: BasicRequestContext) throws -> Device {
        let name = try Self.parameter("name", context)
        guard name == device.name else { throw AgentFault.unknownDevice(name) }
        return device
    }

    /// A part of the path, its percent encoding undone.
    private static func parameter(_ name: String, _ context: BasicRequestContext) throws -> String {
        let text = try context.parameters.require(name)
        return text.removingPercentEncoding ?? text
    }

    private func open(_ id: NotificationID, on device: Device) throws(AgentFault) -> OpenedNotification {
        for effect in device.apply(.notificationOpened(id), at: sources.now()) {
            if case .sceneActivated(let opened) = effect { return opened }
        }
        throw .unknownNotification(id, device: device.name)
    }

    /// Answers in JSON.
    static func response(_ body: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(body)
        data.append(0x0A)
        let headers: HTTPFields = [.contentType: "application/json"]
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
    }
}

/// Turns every error of a request into its answer.
private struct AgentFaultMiddleware<Context: RequestContext>: RouterMiddleware {
    let logger: Logger

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let fault as AgentFault {
            return try ControlAPI.response(fault.body, status: fault.status)
        } catch let error as HTTPError where error.status == .notFound {
            return try ControlAPI.response(AgentFault.notFound(request.uri.path).body, status: .notFound)
        } catch {
            logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            let fault = AgentFault.internalError
            return try ControlAPI.response(fault.body, status: fault.status)
        }
    }
}
