internal import Attribution
internal import DeviceModel
internal import HTTPTypes
internal import Highlights
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import WaypostSchema

/// Attribution views as the device draws them, for the user and never for an app.
extension ControlAPI {
    /// The maximum number of links in the picture of a shelf; each may have a picture of its own.
    private static let maximumCards = 100

    func addAttributionRoutes(to router: Router<ServiceContext>) {
        router.get("v1/attributions/:view") { _, context in
            let name = try context.pathComponent("view")
            guard name.hasSuffix(".svg") else {
                return try JSONResponse.make(try report(on: AttributionViewID(rawValue: name)))
            }
            let drawing = try drawing(of: AttributionViewID(rawValue: String(name.dropLast(4))))
            return Self.pictureResponse(drawing.svg())
        }
        router.get("v1/devices/:name/attributions") { request, context in
            try await list(request, context, read: \.requestedAttributions)
        }
        router.get("v1/devices/:name/presentation") { request, context in
            try await list(request, context, read: \.presentedEffects)
        }
        router.get("v1/devices/:name/apps/:app/offer.svg") { _, context in
            Self.pictureResponse(try offerDrawing(context).svg())
        }
        router.get("v1/devices/:name/apps/:app/attribution") { request, context in
            let drawing = try drawing(of: try request.requiredParameter("url"), context)
            return try JSONResponse.make(AttributionReport(drawing.content, drawing.layout))
        }
        router.get("v1/devices/:name/apps/:app/attribution.svg") { request, context in
            Self.pictureResponse(try drawing(of: try request.requiredParameter("url"), context).svg())
        }
        router.get("v1/devices/:name/apps/:app/menu") { request, context in
            let (device, app) = try app(context)
            let url = try request.requiredParameter("url")
            guard let menu = device.store.model.contextMenu(of: url, in: app) else { throw RequestError.internalError }
            return try JSONResponse.make(menu)
        }
        router.post("v1/devices/:name/apps/:app/menu/:item") { request, context in
            let (device, app) = try app(context)
            let (url, item) = (try request.requiredParameter("url"), try context.pathComponent("item"))
            let view = try await viewForMenu(of: url, in: app, on: device)
            return try JSONResponse.make(
                try await device.apply(.attribution(.menuItemChosen(app, view, MenuItemID(rawValue: item), nil)))
            )
        }
        router.get("v1/devices/:name/apps/:app/shelf.svg") { request, context in
            let (device, app) = try app(context)
            let limit = try request.limit(default: ShowMore.defaultLimit, maximum: Self.maximumCards)
            let model = device.store.model
            let showMore = model.showMore(on: app, after: limit)
            let traits = model.attributionTraits(of: app)
            let count = min(showMore.shownCount, Self.maximumCards)
            let cards = model.shelf(of: app, limit: count, traits.language) { model.preview(of: $0, for: app) }
            // The app draws its heading and Show More; the device draws who shared the items.
            let appLanguage = AttributionLanguage(tag: model.appLanguage(of: app))
            let drawing = ShelfDrawing(
                ShelfContent(cards, showMore, in: appLanguage),
                preferredContentSizeCategory: traits.preferredContentSizeCategory,
                layoutDirection: traits.layoutDirection
            )
            return Self.pictureResponse(drawing.svg())
        }
    }

    /// Returns the attribution view whose items are in the context menu of a link's content.
    ///
    /// If the app requested none, it is requested in place of the app, which does that to build its menu.
    ///
    /// - Throws: `AgentError.ignored` if the app has no highlight for the link.
    private func viewForMenu(
        of url: String,
        in app: BundleIdentifier,
        on device: RunningDevice
    ) async throws -> AttributionViewID {
        let model = device.store.model
        if let view = model.contextMenu(of: url, in: app)?.view { return view }
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

    /// Returns the picture of a link's attribution view, whether the app requested one or not.
    private func drawing(of url: String, _ context: ServiceContext) throws -> AttributionDrawing {
        let (device, app) = try app(context)
        guard let drawing = device.store.model.drawing(of: url, in: app) else {
            throw AgentError.ignored(
                IgnoredEvent(
                    reason: .noHighlight,
                    explanation: "\(app) has no highlight for '\(url)'; GET …/explain?url= shows why"
                )
            )
        }
        return drawing
    }

    /// Returns the picture of the open offer of automatic sharing with an app.
    private func offerDrawing(_ context: ServiceContext) throws -> MenuCardDrawing {
        let (device, app) = try app(context)
        let model = device.store.model
        guard model.sharing.openOffers.contains(where: { $0.app == app }) else {
            let standing = model.sharing.settings.offers?.first { $0.app == app }
            throw AgentError.ignored(
                IgnoredEvent(
                    reason: .noOpenOffer,
                    explanation: standing?.explanation ?? "\(app) does not take part in Shared with You"
                )
            )
        }
        return MenuCardDrawing(
            model.offerCard(for: app),
            in: model.traits.language,
            preferredContentSizeCategory: model.traits.preferredContentSizeCategory
        )
    }

    private func report(on view: AttributionViewID) throws(AgentError) -> AttributionReport {
        let drawing = try drawing(of: view)
        return AttributionReport(drawing.content, drawing.layout)
    }

    private func drawing(of view: AttributionViewID) throws(AgentError) -> AttributionDrawing {
        for device in agentDevices.devices {
            if let drawing = device.store.model.drawing(of: view) { return drawing }
        }
        throw .unknownView(view)
    }

    /// Returns the response with a picture.
    static func pictureResponse(_ svg: String) -> Response {
        let headers: HTTPFields = [.contentType: "image/svg+xml"]
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: svg)))
    }
}
