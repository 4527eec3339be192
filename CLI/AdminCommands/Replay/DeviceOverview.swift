internal import DeviceModel
internal import Highlights
internal import WaypostSchema

/// What is on a device, in few words.
struct DeviceOverview: Encodable {
    /// The device's name; absent where the journal gives none.
    let name: String?

    /// The time that it is there.
    let clock: Timestamp

    /// When the passing of time alone changes something next.
    let nextDeadline: Timestamp?

    /// How things stand with each app's highlights.
    let apps: [AppOverview]

    /// How things stand with an app's highlights.
    struct AppOverview: Encodable {
        let app: BundleIdentifier
        let state: HighlightsState
        let total: Int
        let curated: Bool
    }

    init(_ device: DeviceModel) {
        name = device.name.isEmpty ? nil : device.name
        clock = device.sharing.clock
        nextDeadline = device.sharing.nextDeadline
        apps = device.sharing.apps.map { app in
            let page = device.sharing.page(of: app, limit: 0)
            return AppOverview(app: app, state: page.state, total: page.total, curated: page.curated)
        }
    }

    var text: String {
        let time = clock.rawValue == 0 ? "before anything happened" : "at \(clock.text)"
        guard !apps.isEmpty else { return "No app is on the device \(time)." }
        let rows = apps.map { [$0.app.rawValue, $0.state.rawValue, "\($0.total)", $0.curated ? "yes" : "no"] }
        return "\(name ?? "The device") \(time)\n"
            + TextTable(header: ["App", "State", "Highlights", "Curated"], rows: rows).text
    }
}
