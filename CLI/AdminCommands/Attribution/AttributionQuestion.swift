internal import Attribution
internal import DeviceModel
internal import Highlights
internal import WaypostSchema

/// Which attribution view a person wants to see: one that an app asked for, or one of a link.
struct AttributionQuestion {
    let app: BundleIdentifier
    let url: String
    let preferences: AttributionPreferences

    /// Finds the view behind a handle.
    ///
    /// - Throws: `CommandFailure` where there is none, or none any more, and naming the apps to choose from.
    init(view: String, app: String?, on device: DeviceModel) throws(CommandFailure) {
        let having = device.requestedViews(AttributionViewID(rawValue: view)).filter { requested in
            app.map { $0 == requested.app.rawValue } ?? true
        }
        guard let requested = having.first else {
            throw .no("there is no attribution view '\(view)': none was asked for, or its highlight is gone")
        }
        guard having.count == 1 else {
            let names = having.map(\.app.rawValue).joined(separator: ", ")
            throw .unusable("several apps have a view '\(view)': choose one with --app: \(names)")
        }
        (self.app, url, preferences) = (requested.app, requested.url, requested.preferences)
    }

    /// Finds the app that has a highlight for a URL, where none is named.
    ///
    /// - Throws: `CommandFailure` naming the gate that stopped the link, or the apps to choose from.
    init(url: String, app: String?, on device: DeviceModel) throws(CommandFailure) {
        let asked = app.map { [BundleIdentifier(rawValue: $0)] } ?? device.sharing.apps
        let having = asked.filter { device.sharing.sharedLink(url, of: $0) != nil }
        guard let first = having.first else { throw Self.nowhere(url, asked, device) }
        guard having.count == 1 else {
            let names = having.map(\.rawValue).joined(separator: ", ")
            throw .unusable("several apps have a highlight for '\(url)': choose one with --app: \(names)")
        }
        (self.app, self.url, preferences) = (first, url, AttributionPreferences())
    }

    private static func nowhere(_ url: String, _ apps: [BundleIdentifier], _ device: DeviceModel) -> CommandFailure {
        guard !apps.isEmpty else { return .no("no app is on the device, so that none has a highlight for '\(url)'") }
        let reasons = apps.map { app in
            let explanation = device.sharing.explanation(of: url, for: app)
            let gate = explanation.gates.first { $0.gate == explanation.decidedBy }
            return "\(app) has no highlight for '\(url)': "
                + (gate.map { "\($0.gate.rawValue): \($0.explanation)" } ?? "")
        }
        return .no(reasons.joined(separator: "\nwaypost: "))
    }
}
