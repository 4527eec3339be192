internal import DeviceModel
internal import Foundation
internal import Highlights
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// Apps: their installation and removal, links and quick actions.
extension ControlAPI {
    func addAppRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/apps") { request, context in
            let processes = try device(context).store.processes
            return try await list(request, context) { model in
                model.description.apps.map {
                    Self.status($0, model, isRunning: processes.runningApps.contains($0.bundleIdentifier))
                }
            }
        }
        router.post("v1/devices/:name/apps") { request, context in
            let device = try device(context)
            let app: AppDescription = try await request.decoded()
            _ = try await device.applyOrThrow(.system(.appInstalled(app)))
            return try JSONResponse.make(credential(of: app.bundleIdentifier, device), status: .created)
        }
        router.get("v1/devices/:name/apps/:app") { _, context in
            let (device, app) = try app(context)
            return try JSONResponse.make(device.store.model.app(app))
        }
        router.delete("v1/devices/:name/apps/:app") { _, context in
            let (device, app) = try app(context)
            _ = try await device.applyOrThrow(.system(.appRemoved(app)))
            return Response(status: .noContent)
        }
        router.get("v1/devices/:name/apps/:app/previews") { request, context in
            let (_, app) = try app(context)
            return try await list(request, context) { $0.previews(of: app) }
        }
        router.get("v1/devices/:name/apps/:app/credential") { _, context in
            let (device, app) = try app(context)
            return try JSONResponse.make(credential(of: app, device))
        }
        addLinkRoutes(to: router)
        addQuickActionRoutes(to: router)
    }

    private func addLinkRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/associations") { request, context in
            try await list(request, context, read: \.associationFiles)
        }
        router.get("v1/devices/:name/associations/content") { request, context in
            let checks = try device(context).associationChecks
            return try JSONResponse.make(await checks.content(of: try request.requiredParameter("domain")))
        }
        router.post("v1/devices/:name/associations/check") { _, context in
            let device = try device(context)
            guard !device.store.model.isInAirplaneMode else { throw AgentError.offline(device.store.name) }
            await device.associationChecks.check(device.store.model.neededFiles)
            return try JSONResponse.make(device.store.model.associationFiles)
        }
        router.get("v1/devices/:name/explain") { request, context in
            let url = try request.requiredParameter("url")
            let limit = try request.number("limit", default: 100, in: 1...1_000)
            let device = try device(context)
            await device.associationChecks.checkChangedLocalFiles()
            let decisions = device.store.model.linkDecisions(on: url)
            return try JSONResponse.make(decisions.map { $0.limitingTrace(to: limit) })
        }
        router.post("v1/devices/:name/open") { request, context in
            let device = try device(context)
            let urlToOpen: URLToOpen = try await request.decoded()
            let event = DeviceEvent.scene(.urlOpened(urlToOpen.url, from: urlToOpen.from, page: urlToOpen.page))
            try validate(event, for: device.store)
            await device.associationChecks.checkChangedLocalFiles()
            for case .scene(.urlOpened(let openedURL)) in try await device.applyOrThrow(event) {
                return try JSONResponse.make(openedURL)
            }
            throw RequestError.internalError
        }
        router.get("v1/devices/:name/apps/:app/explain") { request, context in
            let (device, app) = try app(context)
            let url = try request.requiredParameter("url")
            await device.associationChecks.checkChangedLocalFiles()
            return try JSONResponse.make(device.store.model.sharing.explanation(of: url, for: app))
        }
        router.get("v1/devices/:name/apps/:app/shelf") { request, context in
            let (device, app) = try app(context)
            let (offset, limit) = (try request.number("offset", default: 0), try request.limit())
            let wait = try ListWait(request, context)
            let report = try await wait.list(
                after: device.store.changes,
                sources,
                read: { try Self.shelf(of: app, on: device.store, from: offset, limit: limit) },
                count: \.total
            )
            return try JSONResponse.make(report)
        }
    }

    private func addQuickActionRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/apps/:app/shortcutItems") { request, context in
            let (_, app) = try app(context)
            return try await list(request, context) { $0.shortcutItems(of: app) ?? [] }
        }
        router.post("v1/devices/:name/apps/:app/shortcutItems/:type/perform") { _, context in
            let (device, app) = try app(context)
            let type = try context.pathComponent("type")
            return try await applySceneOpening(.scene(.shortcutItemPerformed(app, type: type)), on: device)
        }
    }

    private func credential(of app: BundleIdentifier, _ device: RunningDevice) -> AppCredential {
        AppCredential(
            app: app,
            credential: device.store.appCredentials.secret(of: app, sources),
            apps: appAPIURL.current
        )
    }

    private static func status(_ app: AppDescription, _ model: DeviceModel, isRunning: Bool) -> AppStatus {
        let reloads = model.receiverCalls(of: app.bundleIdentifier)
        return AppStatus(
            app: app.bundleIdentifier,
            displayName: model.displayName(of: app.bundleIdentifier),
            isRunning: isRunning,
            scenes: app.scenes.count,
            activations: model.activations(of: app.bundleIdentifier).count,
            badge: model.badge(of: app.bundleIdentifier),
            notificationSettings: app.notificationSettings ?? NotificationSettings(),
            backgroundRefresh: app.backgroundRefresh ?? true,
            reloads: reloads.isEmpty ? nil : reloads
        )
    }

    private static func shelf(
        of app: BundleIdentifier,
        on device: DeviceStore,
        from offset: Int,
        limit: Int
    ) throws(AgentError) -> ShelfReport {
        guard let report = device.model.shelfReport(on: app, from: offset, limit: limit) else {
            throw .unknownApp(app, device: device.name, apps: device.model.sharing.apps)
        }
        return report
    }
}
