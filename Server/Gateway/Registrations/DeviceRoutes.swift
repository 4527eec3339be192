internal import Foundation
internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import PushRules
internal import WaypostSchema

/// `/v1/devices`: devices and their tokens.
struct DeviceRoutes {
    let devices: DeviceRegistry
    let channels: ChannelService

    func add(to router: Router<ServiceContext>) {
        router.post("v1/devices") { request, _ in try await register(request) }
        router.get("v1/devices") { request, _ in
            let query = request.uri.queryParameters
            let after = query["after"].map { DeviceToken(rawValue: String($0)) }
            let limit = try NotificationQuery.limit(in: query)
            try BodyFootprint.reserveList(of: limit)
            return try JSONResponse.make(
                try await devices.page(
                    matching: try DeviceFilter(in: query),
                    after: after,
                    limit: limit,
                    in: try request.namespace
                )
            )
        }
        router.get("v1/devices/:token") { request, context in
            try JSONResponse.make(try await devices.device(try token(context), in: try request.namespace))
        }
        router.delete("v1/devices/:token") { request, context in
            try await devices.unregister(try token(context), in: try request.namespace)
            return Response(status: .noContent)
        }
        router.put("v1/devices/:token/topics") { request, context in
            let body = try await JSONBody.decode(DeviceTopics.self, from: request)
            return try JSONResponse.make(
                try await devices.setTopics(body.topics, of: try token(context), in: try request.namespace)
            )
        }
        router.get("v1/devices/:token/channels") { request, context in
            try JSONResponse.make(try await channels.channels(of: try token(context), in: try request.namespace))
        }
        router.put("v1/devices/:token/channels") { request, context in
            let (token, namespace) = (try token(context), try request.namespace)
            let body = try await JSONBody.decode(DeviceChannels.self, from: request)
            return try JSONResponse.make(
                try await channels.performInOrder { () async throws(GatewayError) in
                    try await channels.subscribe(token, to: body.channels, in: namespace)
                }
            )
        }
        router.put("v1/devices/:token/power") { request, context in
            let body = try await JSONBody.decode(DevicePower.self, from: request)
            return try await change(request, context, change: .power(isLowPowerModeEnabled: body.constrained))
        }
        router.put("v1/devices/:token/standing") { request, context in
            let body = try await JSONBody.decode(TokenStandingChange.self, from: request)
            let now = try await devices.delivery.store.now(in: try request.namespace)
            return try await change(request, context, change: .standing(body.standing, since: body.since ?? now))
        }
        router.post("v1/devices/:token/rotation") { request, context in
            let body = try await JSONBody.decode(TokenRotation.self, from: request)
            let (token, namespace) = (try token(context), try request.namespace)
            // Runs after the pending messages to channels: one that is being sent would not find the device.
            return try JSONResponse.make(
                try await channels.performInOrder { () async throws(GatewayError) in
                    try await devices.rotate(token, to: body.token, in: namespace)
                }
            )
        }
    }

    private func register(_ request: Request) async throws -> Response {
        let namespace = try request.namespace
        let registration = try await JSONBody.decode(DeviceRegistration.self, from: request)
        guard !registration.name.isEmpty else { throw RequestError.malformedBody("'name' must not be empty") }
        var credential = try await devices.register(registration, in: namespace)
        let findings = RequestFindings.current?.findings ?? []
        if !findings.isEmpty { credential.findings = findings }
        return try JSONResponse.make(credential, status: .created)
    }

    private func change(
        _ request: Request,
        _ context: ServiceContext,
        change: DeviceChange
    ) async throws -> Response {
        try JSONResponse.make(try await devices.update(try token(context), in: try request.namespace, with: change))
    }

    private func token(_ context: ServiceContext) throws -> DeviceToken {
        try DeviceToken(in: context)
    }
}

extension DeviceFilter {
    /// Reads the filter in a query.
    init(in query: Parameters) throws(RequestError) {
        self.init(
            name: query["name"].map(String.init),
            standing: try query["standing"].map { string throws(RequestError) in
                guard let standing = TokenStanding(rawValue: String(string)) else {
                    let names = TokenStanding.allCases.map(\.rawValue).joined(separator: ", ")
                    throw .badParameter(
                        name: "standing",
                        "'\(string)' is not a standing; the standings are \(names)"
                    )
                }
                return standing
            }
        )
    }
}

extension DeviceToken {
    /// Reads the token in the path, in its canonical form if it is valid.
    init(in context: ServiceContext) throws {
        let string = try context.parameters.require("token")
        self = DeviceToken(hexadecimal: string) ?? DeviceToken(rawValue: string)
    }
}

/// `/v1/apps`: the storage modes of apps.
struct AppRoutes {
    let devices: DeviceRegistry

    func add(to router: Router<ServiceContext>) {
        router.get("v1/apps") { request, _ in
            try JSONResponse.make(try await devices.apps(in: try request.namespace))
        }
        router.get("v1/apps/:topic") { request, context in
            let topic = Topic(rawValue: try context.pathComponent("topic"))
            let apps = try await devices.apps(in: try request.namespace)
            return try JSONResponse.make(
                apps.first { $0.topic == topic } ?? AppSettings(topic: topic, storage: .lossless)
            )
        }
        router.put("v1/apps/:topic") { request, context in
            let namespace = try request.namespace
            let change = try await JSONBody.decode(AppSettingsChange.self, from: request)
            let topic = Topic(rawValue: try context.pathComponent("topic"))
            return try JSONResponse.make(try await devices.setStorage(change.storage, for: topic, in: namespace))
        }
    }
}
