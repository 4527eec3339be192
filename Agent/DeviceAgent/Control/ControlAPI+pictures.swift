internal import DeviceModel
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import WaypostSchema

/// Pictures of links, menus and shelves, as the device draws them for the user.
///
/// Their options are those of `waypost device attribution`, and `DeviceModel` draws them for both.
extension ControlAPI {
    /// The parameters of a query that name the link of a picture.
    private static let linkParameters: Set = ["url", "view"]

    func addPictureRoutes(to router: Router<ServiceContext>) {
        for kind in [PictureKind.attribution, .menu, .disambiguation] {
            router.get(RouterPath("v1/devices/:name/apps/:app/\(kind.rawValue).svg")) { request, context in
                let options = try request.pictureOptions(kind.options, besides: Self.linkParameters)
                let (model, link) = try picturedLink(request, context)
                return try Self.response(with: kind, of: link, on: model, options)
            }
        }
        router.get("v1/devices/:name/apps/:app/offer.svg") { request, context in
            try offerResponse(request, context)
        }
        router.get("v1/devices/:name/apps/:app/shelf.svg") { request, context in
            let options = try request.pictureOptions(PictureKind.shelf.options)
            let (device, app) = try app(context)
            let picture = device.store.model.shelfPicture(of: app, options)
            return Self.pictureResponse(picture.svg(options.appearance))
        }
        router.get("v1/devices/:name/presentation.svg") { request, context in
            try presentationResponse(request, context)
        }
    }

    private func offerResponse(_ request: Request, _ context: ServiceContext) throws -> Response {
        let options = try request.pictureOptions(PictureKind.offer.options)
        let (device, app) = try app(context)
        do throws(IgnoredEvent) {
            let picture = try device.store.model.openOfferPicture(for: app, options)
            return Self.pictureResponse(picture.svg(options.appearance))
        } catch {
            throw AgentError.ignored(error)
        }
    }

    private func presentationResponse(_ request: Request, _ context: ServiceContext) throws -> Response {
        let options = try request.pictureOptions(PictureKind.presentation.options)
        let model = try device(context).store.model
        do throws(IgnoredEvent) {
            return Self.pictureResponse(try model.presentationPicture(options).svg(options.appearance))
        } catch {
            throw AgentError.ignored(error)
        }
    }

    /// Returns the report on the attribution view of the link in a request.
    func attributionReport(_ request: Request, _ context: ServiceContext) throws -> AttributionReport {
        let options = try request.pictureOptions(PictureOption.ofReport, besides: Self.linkParameters)
        let (model, link) = try picturedLink(request, context)
        do throws(IgnoredEvent) {
            return try model.attributionReport(on: link, options)
        } catch {
            throw Self.agentError(for: error)
        }
    }

    /// Returns the link in a request: a URL, whether the app requested its view or not, or the handle of a view.
    private func picturedLink(
        _ request: Request,
        _ context: ServiceContext
    ) throws -> (model: DeviceModel, link: PicturedLink) {
        let (device, app) = try app(context)
        let model = device.store.model
        guard let handle = request.uri.queryParameters.get("view") else {
            return (model, PicturedLink(try request.requiredParameter("url"), in: app))
        }
        guard request.uri.queryParameters.get("url") == nil else {
            throw RequestError.badParameter(name: "view", "give one of url and view, not both")
        }
        let id = AttributionViewID(rawValue: handle)
        guard let view = model.requestedViews(id).first(where: { $0.app == app }) else {
            throw AgentError.unknownView(id)
        }
        return (model, model.picturedLink(of: view))
    }

    private static func response(
        with kind: PictureKind,
        of link: PicturedLink,
        on model: DeviceModel,
        _ options: PictureOptions
    ) throws(AgentError) -> Response {
        do throws(IgnoredEvent) {
            return pictureResponse(try model.picture(kind, of: link, options).svg(options.appearance))
        } catch {
            throw agentError(for: error)
        }
    }

    /// Returns the error for a picture that cannot be drawn, with the path that shows why an app has no highlight.
    private static func agentError(for ignored: IgnoredEvent) -> AgentError {
        guard ignored.reason == .noHighlight else { return .ignored(ignored) }
        let explanation = "\(ignored.explanation); GET …/explain?url= shows why"
        return .ignored(IgnoredEvent(reason: .noHighlight, explanation: explanation))
    }

    /// Returns the response with a picture.
    static func pictureResponse(_ svg: String) -> Response {
        let headers: HTTPFields = [.contentType: "image/svg+xml"]
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: svg)))
    }
}

extension Request {
    /// Returns the options of a picture in the query.
    ///
    /// - Parameters:
    ///   - accepted: the options that the picture has.
    ///   - otherParameters: the parameters of the query that are no options.
    /// - Returns: the options.
    /// - Throws: `RequestError.badParameter` that names the parameter, and has the accepted options or values.
    func pictureOptions(
        _ accepted: [PictureOption],
        besides otherParameters: Set<String> = []
    ) throws(RequestError) -> PictureOptions {
        var options = PictureOptions()
        var seen: Set<PictureOption> = []
        for (key, value) in uri.queryParameters where !key.isEmpty && !otherParameters.contains(String(key)) {
            let name = String(key)
            guard let option = PictureOption(rawValue: name), accepted.contains(option) else {
                let names = (otherParameters.sorted() + accepted.map(\.rawValue)).joined(separator: ", ")
                throw .badParameter(name: name, "there is no such option here; the options are \(names)")
            }
            guard seen.insert(option).inserted || option.isRepeatable else {
                throw .badParameter(name: name, "the option is given more than once; give it once")
            }
            try Self.set(option, of: &options, to: String(value))
        }
        return options
    }

    private static func set(
        _ option: PictureOption,
        of options: inout PictureOptions,
        to value: String
    ) throws(RequestError) {
        do throws(PictureOptionError) {
            try options.set(option, to: value)
        } catch {
            throw .badParameter(name: option.rawValue, error.message)
        }
    }
}
