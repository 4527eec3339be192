internal import Attribution
internal import DeviceModel
internal import Highlights
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// Attribution views as the device draws them, for the user and never for an app.
extension ControlAPI {
    func addAttributionRoutes(to router: Router<ServiceContext>) {
        router.get("v1/attributions/:view") { request, context in
            let name = try context.pathComponent("view")
            guard name.hasSuffix(".svg") else {
                let options = try request.pictureOptions(PictureOption.ofReport)
                return try JSONResponse.make(try report(on: AttributionViewID(rawValue: name), options))
            }
            let options = try request.pictureOptions(PictureKind.attribution.options)
            let drawing = try drawing(of: AttributionViewID(rawValue: String(name.dropLast(4))), options)
            return Self.pictureResponse(drawing.svg(options.appearance))
        }
        router.get("v1/devices/:name/attributions") { request, context in
            try await list(request, context, read: \.requestedAttributions)
        }
        router.get("v1/devices/:name/presentation") { request, context in
            try await list(request, context, read: \.presentedEffects)
        }
        router.get("v1/devices/:name/apps/:app/attribution") { request, context in
            try JSONResponse.make(try attributionReport(request, context))
        }
        router.get("v1/devices/:name/apps/:app/menu") { request, context in
            let (device, app) = try app(context)
            let url = try request.requiredParameter("url")
            guard let menu = device.store.model.contextMenu(of: url, in: app) else { throw RequestError.internalError }
            return try JSONResponse.make(menu)
        }
        router.post("v1/devices/:name/apps/:app/menu/:item") { request, context in
            let (device, app) = try app(context)
            let url = try request.requiredParameter("url")
            let item = MenuItemID(rawValue: try context.pathComponent("item"))
            let view = try await viewForMenu(with: item, of: url, in: app, on: device)
            return try JSONResponse.make(
                try await device.apply(.attribution(.menuItemChosen(app, view, item, nil)))
            )
        }
        addPictureRoutes(to: router)
    }

    /// Returns the attribution view whose items are in the context menu of a link's content.
    ///
    /// If the app requested none, it is requested in place of the app, which does that to build its menu.
    ///
    /// - Throws: `AgentError.ignored` if the app has no highlight for the link, or the menu no such item.
    private func viewForMenu(
        with item: MenuItemID,
        of url: String,
        in app: BundleIdentifier,
        on device: RunningDevice
    ) async throws -> AttributionViewID {
        let model = device.store.model
        let menu = model.contextMenu(of: url, in: app)
        if let view = menu?.view { return view }
        let items = menu?.sections.flatMap { $0.map(\.id) } ?? []
        // Without a highlight, the refusal of the view says why.
        guard items.contains(item) || model.sharing.sharedLink(url, of: app) == nil else {
            let names = items.map(\.rawValue).joined(separator: ", ")
            throw AgentError.ignored(
                IgnoredEvent(
                    reason: .unknownMenuItem,
                    explanation: "the menu of '\(url)' in \(app) has no item \(item); its items are \(names)"
                )
            )
        }
        var generator = SourceGenerator(sources: sources)
        let view = AttributionViewID.unguessable(using: &generator)
        let preferences = AttributionPreferences(
            menuTitleForHideAction: model.app(app)?.contextMenu?.menuTitleForHideAction
        )
        let request = DeviceEvent.attribution(.attributionRequested(app, view, url: url, preferences))
        for case .system(.eventIgnored(let refusal)) in try await device.apply(request).effects {
            throw AgentError.ignored(refusal)
        }
        return view
    }

    private func report(
        on view: AttributionViewID,
        _ options: PictureOptions
    ) throws(AgentError) -> AttributionReport {
        let (model, link) = try picturedLink(of: view)
        do throws(IgnoredEvent) {
            return try model.attributionReport(on: link, options)
        } catch {
            throw .unknownView(view)
        }
    }

    private func drawing(
        of view: AttributionViewID,
        _ options: PictureOptions
    ) throws(AgentError) -> AttributionDrawing {
        let (model, link) = try picturedLink(of: view)
        do throws(IgnoredEvent) {
            return try model.attributionDrawing(of: link, options)
        } catch {
            throw .unknownView(view)
        }
    }

    /// Returns the link of a view with the device that has it, if only one app of that device chose the handle.
    private func picturedLink(
        of view: AttributionViewID
    ) throws(AgentError) -> (model: DeviceModel, link: PicturedLink) {
        for device in agentDevices.devices {
            let model = device.store.model
            if let link = model.picturedLink(ofOnly: view) { return (model, link) }
        }
        throw .unknownView(view)
    }
}
