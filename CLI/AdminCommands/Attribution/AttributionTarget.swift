internal import DeviceModel
internal import GatewayClient
internal import Highlights
internal import WaypostSchema

/// The attribution view to draw: one that an app requested, or the one of a link.
struct AttributionTarget {
    /// An app, and the parameter of a query that names the link or the view.
    struct Parameter {
        let app: BundleIdentifier
        let parameter: (name: String, value: String)
    }

    /// The URL of the link; `nil` if `view` is set.
    let url: String?

    /// The handle of a view; `nil` if `url` is set.
    let view: String?

    /// The app; `nil` for the only one that has the link or the view.
    let app: String?

    // MARK: The replay of a journal

    /// Finds the link on a device.
    ///
    /// - Throws: `CommandFailure` that names the gate that stopped the link, or the apps to choose from.
    func link(on device: DeviceModel) throws(CommandFailure) -> PicturedLink {
        if let view { return try link(ofView: view, on: device) }
        return try link(to: url ?? "", on: device)
    }

    private func link(ofView view: String, on device: DeviceModel) throws(CommandFailure) -> PicturedLink {
        let matches = device.requestedViews(AttributionViewID(rawValue: view)).filter { requestedView in
            app.map { $0 == requestedView.app.rawValue } ?? true
        }
        _ = try onlyApp(of: matches.map(\.app), withView: view)
        guard let requestedView = matches.first else { throw Self.missingView(view) }
        return device.picturedLink(of: requestedView)
    }

    private func link(to url: String, on device: DeviceModel) throws(CommandFailure) -> PicturedLink {
        let apps = app.map { [BundleIdentifier(rawValue: $0)] } ?? device.sharing.apps
        let matches = apps.filter { device.sharing.sharedLink(url, of: $0) != nil }
        guard let matchingApp = matches.first else { throw Self.missingHighlight(for: url, in: apps, on: device) }
        guard matches.count == 1 else {
            let names = matches.map(\.rawValue).joined(separator: ", ")
            throw .unusable("several apps have a highlight for '\(url)'; choose one with --app: \(names)")
        }
        return PicturedLink(url, in: matchingApp)
    }

    /// Returns the failure that names, for each app, the gate that stopped the link.
    private static func missingHighlight(
        for url: String,
        in apps: [BundleIdentifier],
        on device: DeviceModel
    ) -> CommandFailure {
        guard !apps.isEmpty else { return .failed("the device has no apps, so there is no highlight for '\(url)'") }
        let reasons = apps.map { app in
            let explanation = device.sharing.explanation(of: url, for: app)
            let gate = explanation.gates.first { $0.gate == explanation.decidedBy }
            return "\(app) has no highlight for '\(url)': "
                + (gate.map { "\($0.gate.rawValue): \($0.explanation)" } ?? "")
        }
        return .failed(reasons.joined(separator: "\nwaypost: "))
    }

    // MARK: A running device

    /// Finds the app of the link or of the view on a device of an agent.
    ///
    /// - Throws: `CommandFailure` if no app has it, or that has the apps to choose from; `CallError`.
    func parameter(on device: String, of agent: AgentClient) async throws -> Parameter {
        if let view {
            let app = try await app(ofView: view, on: device, agent)
            return Parameter(app: app, parameter: ("view", view))
        }
        let url = url ?? ""
        let app = try await app(showing: url, on: device, agent)
        return Parameter(app: app, parameter: ("url", url))
    }

    private func app(ofView view: String, on device: String, _ agent: AgentClient) async throws -> BundleIdentifier {
        if let app { return BundleIdentifier(rawValue: app) }
        let views = try await agent.requestedAttributions(on: device).map(\.attribution)
        return try onlyApp(of: views.filter { $0.view.rawValue == view }.map(\.app), withView: view)
    }

    private func app(showing url: String, on device: String, _ agent: AgentClient) async throws -> BundleIdentifier {
        if let app { return BundleIdentifier(rawValue: app) }
        let apps = try await agent.explanations(of: url, on: device).filter(\.isSurfaced).map(\.app)
        if apps.isEmpty {
            throw CommandFailure.failed(
                "no app has a highlight for the link; 'waypost device explain \(url) --shelves' says why"
            )
        }
        guard apps.count == 1 else {
            throw CommandFailure.unusable(
                "several apps have the link; add --app with one of \(apps.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return apps[0]
    }

    private func onlyApp(
        of apps: [BundleIdentifier],
        withView view: String
    ) throws(CommandFailure) -> BundleIdentifier {
        guard let app = apps.first else { throw Self.missingView(view) }
        guard apps.count == 1 else {
            let names = apps.map(\.rawValue).joined(separator: ", ")
            throw .unusable("several apps have a view '\(view)'; choose one with --app: \(names)")
        }
        return app
    }

    private static func missingView(_ view: String) -> CommandFailure {
        .failed("there is no attribution view '\(view)': no app requested it, or it has ended")
    }
}
