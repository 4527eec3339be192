internal import DeviceModel
internal import Foundation
internal import HTTPTypes
internal import Highlights
internal import Hummingbird
internal import Logging
internal import WaypostSchema

/// The API for scripts and for the person at the device: what is there, opening a notification, and why a link would
/// open an app.
struct ControlAPI {
    let device: Device
    let associations: AssociationChecks

    /// Called where the device takes notifications of other topics than before.
    let onTopicsChanged: @Sendable () async -> Void

    let port: Int
    let sources: AgentSources
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// The address that the API listens on: whoever reaches it is the person at the device.
    static let host = "127.0.0.1"

    /// The most bytes of an event: an association file and what is around it.
    private static let longestBody = 1 << 20

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
        router.get("v1/devices/:name/notifications") { request, context in
            let device = try named(context)
            let wait = try ListWait(request)
            return try Self.response(
                try await wait.list(of: device, sources, read: { device.model.notifications }, count: \.count)
            )
        }
        router.get("v1/devices/:name/scenes") { _, context in
            try Self.response(try named(context).model.description.apps)
        }
        router.get("v1/devices/:name/associations") { _, context in
            try Self.response(try named(context).model.associationFiles)
        }
        router.post("v1/devices/:name/associations/check") { _, context in
            let device = try named(context)
            await associations.check(device.model.neededDomains)
            return try Self.response(device.model.associationFiles)
        }
        router.get("v1/devices/:name/explain") { request, context in
            let device = try named(context)
            guard let url = request.uri.queryParameters.get("url") else { throw AgentFault.missingParameter("url") }
            return try Self.response(device.model.linkDecisions(on: url))
        }
        router.get("v1/devices/:name/events") { _, context in
            EffectStream.response(following: try named(context))
        }
        router.post("v1/devices/:name/events") { request, context in
            try Self.response(try await happen(request, on: try named(context)))
        }
        router.get("v1/devices/:name/apps/:app/shelf") { request, context in
            let (device, app) = (try named(context), try Self.app(context))
            let offset = try request.number("offset", standard: 0)
            let limit = try request.number("limit", standard: 20)
            let wait = try ListWait(request)
            let report = try await wait.list(
                of: device,
                sources,
                read: { try Self.shelf(of: app, on: device, from: offset, limit: limit) },
                count: \.total
            )
            return try Self.response(report)
        }
        router.get("v1/devices/:name/apps/:app/explain") { request, context in
            let (device, app) = (try named(context), try Self.app(context))
            guard let url = request.uri.queryParameters.get("url") else { throw AgentFault.missingParameter("url") }
            guard device.model.sharing.apps.contains(app) else {
                throw AgentFault.unknownApp(app, device: device.name)
            }
            return try Self.response(device.model.sharing.explanation(of: url, for: app))
        }
        router.post("v1/devices/:name/notifications/:id/open") { _, context in
            let id = NotificationID(rawValue: try Self.parameter("id", context))
            return try Self.response(try await open(id, on: try named(context)))
        }
        return router
    }

    private func named(_ context: BasicRequestContext) throws -> Device {
        let name = try Self.parameter("name", context)
        guard name == device.name else { throw AgentFault.unknownDevice(name) }
        return device
    }

    private static func app(_ context: BasicRequestContext) throws -> BundleIdentifier {
        BundleIdentifier(rawValue: try parameter("app", context))
    }

    /// A part of the path, its percent encoding undone.
    private static func parameter(_ name: String, _ context: BasicRequestContext) throws -> String {
        let text = try context.parameters.require(name)
        return text.removingPercentEncoding ?? text
    }

    private static func shelf(
        of app: BundleIdentifier,
        on device: Device,
        from offset: Int,
        limit: Int
    ) throws(AgentFault) -> ShelfReport {
        guard let report = device.model.sharing.report(on: app, from: offset, limit: limit) else {
            throw .unknownApp(app, device: device.name)
        }
        return report
    }

    private func open(_ id: NotificationID, on device: Device) async throws -> OpenedNotification {
        for effect in try await device.apply([.notificationOpened(id)], at: sources.now()).flatMap(\.effects) {
            if case .sceneActivated(let opened) = effect { return opened }
        }
        throw AgentFault.unknownNotification(id, device: device.name)
    }

    /// Lets the event happen that a request's body is.
    private func happen(_ request: Request, on device: Device) async throws -> DeviceReaction {
        let body = try await request.body.collect(upTo: Self.longestBody)
        let event: DeviceEvent
        do {
            event = try JSONDecoder().decode(DeviceEvent.self, from: Data(body.readableBytesView))
        } catch let error as DecodingError {
            throw AgentFault.malformedBody("the body is no event: \(error.sentence)")
        }
        if case .deviceDescribed(let description) = event, description.name != device.name {
            throw AgentFault.malformedBody("'name': a device keeps its name, which is '\(device.name)'")
        }
        let topics = device.model.topics
        let reaction = try await device.apply([event], at: sources.now()).first
        if device.model.topics != topics { await onTopicsChanged() }
        return reaction ?? DeviceReaction(effects: [])
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
