package import AsyncHTTPClient
internal import JSONScanning
package import WaypostSchema

/// A client with typed calls to an agent's control API.
package struct AgentClient: Sendable {
    /// The base URL of the control API.
    package let url: String

    private let control: JSONCalls

    /// The token of the control API, if it requires one.
    package let token: String?

    /// Creates a client of the agent with the control API at `control`.
    ///
    /// - Parameters:
    ///   - http: the client that sends the requests.
    ///   - control: the base URL.
    ///   - token: the token of the control API, if it requires one.
    ///   - log: called with each request and the status of its response, for people.
    package init(
        _ http: HTTPClient,
        control: String,
        token: String? = nil,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        url = control
        self.token = token
        self.control = JSONCalls(http, base: control, token: { token }, log: log)
    }

    /// Returns the health of the agent, also if a journal is damaged.
    package func health() async throws(CallError) -> Health {
        try await control.get("/health", accepting: [503])
    }

    /// Returns the agent's devices.
    package func devices() async throws(CallError) -> [DeviceStatus] {
        try await control.get("/v1/devices")
    }

    /// Returns the devices that are connected to the gateway, once there are `count` of them or after 40 seconds.
    package func connectedDevices(atLeast count: Int) async throws(CallError) -> [DeviceStatus] {
        try await control.get("/v1/devices?connected=true&wait=\(count)&timeout=40s", timeout: .seconds(60))
    }

    /// Returns a device as it is now, in the form of a device file.
    package func description(of device: String) async throws(CallError) -> DeviceDescription {
        try await control.get(Self.path(of: device))
    }

    /// Returns the first page of a device's journal after `after` entries; at the end of the journal, it is empty.
    package func journal(of device: String, after: Int) async throws(CallError) -> JournalPage {
        try await control.get("\(Self.path(of: device))/journal?after=\(after)")
    }

    /// Takes a snapshot of a device; an existing one of that name is replaced.
    package func takeSnapshot(_ name: String, of device: String) async throws(CallError) {
        try await control.send(.post, "\(Self.path(of: device))/snapshots", body: SnapshotRequest(name: name))
    }

    /// Resets a device to a snapshot, or to its description if `snapshot` is `nil`.
    package func reset(_ device: String, to snapshot: String?) async throws(CallError) {
        try await control.send(.post, "\(Self.path(of: device))/reset", body: DeviceReset(snapshot: snapshot))
    }

    /// Adds devices to the agent.
    package func create(_ creation: DeviceCreation) async throws(CallError) -> [DeviceStatus] {
        try await control.post("/v1/devices", creation)
    }

    /// Removes a device, and unregisters it from the gateway.
    package func remove(_ device: String) async throws(CallError) {
        try await control.delete(Self.path(of: device))
    }

    /// Returns the notifications on a device, in the order of their arrival.
    package func notifications(of device: String) async throws(CallError) -> [DeviceNotification] {
        try await control.get("\(Self.path(of: device))/notifications")
    }

    /// Opens a notification on a device, and returns the scene that was chosen, and why.
    ///
    /// This and the calls below also take the start of an identifier, and `last` for the newest notification.
    package func open(_ notification: NotificationID, on device: String) async throws(CallError) -> OpenedScene {
        let path = "\(Self.path(of: device))/notifications/\(PercentEncoding.escaped(notification.rawValue))/open"
        return try await control.post(path, bytes: [], headers: [])
    }

    /// Performs an action of a notification, and returns the effects.
    package func performAction(
        _ action: String,
        text: String? = nil,
        of notification: NotificationID,
        on device: String
    ) async throws(CallError) -> DeviceReaction {
        let path = "\(Self.path(of: device))/notifications/\(PercentEncoding.escaped(notification.rawValue))"
        return try await control.post("\(path)/actions/\(PercentEncoding.escaped(action))", ActionText(text: text))
    }

    /// Returns the time of the agent's devices.
    package func clock() async throws(CallError) -> ClockReading {
        try await control.get("/v1/clock")
    }

    /// Returns the notifications on a device as the user sees them.
    package func notificationCenter(of device: String) async throws(CallError) -> NotificationList {
        try await control.get("\(Self.path(of: device))/notificationCenter")
    }

    /// Returns the picture of the Lock Screen, or of a notification's banner, as SVG.
    package func picture(
        of notification: NotificationID?,
        isDark: Bool,
        on device: String
    ) async throws(CallError) -> String {
        let banner = notification.map { "notifications/\(PercentEncoding.escaped($0.rawValue))/banner.svg" }
        return try await control.getString("\(Self.path(of: device))/\(banner ?? "lockScreen.svg")?dark=\(isDark)")
    }

    /// Returns the Live Activities on a device, the oldest first.
    package func liveActivities(of device: String) async throws(CallError) -> [LiveActivity] {
        try await control.get("\(Self.path(of: device))/liveActivities")
    }

    /// Returns the tokens of the apps that have tokens of their own, once `count` are assigned or after ten seconds.
    package func tokens(of device: String, atLeast count: Int = 0) async throws(CallError) -> [AppToken] {
        try await control.get("\(Self.path(of: device))/tokens?wait=\(count)")
    }

    /// Gives a device another token, and returns the device with it; the earlier token is unregistered.
    package func rotateToken(of device: String) async throws(CallError) -> DeviceStatus {
        try await control.post("\(Self.path(of: device))/rotation", bytes: [], headers: [])
    }

    /// Replaces the secret with which a device receives its notifications.
    package func rotateSecret(of device: String) async throws(CallError) -> DeviceStatus {
        try await control.post("\(Self.path(of: device))/secretRotation", bytes: [], headers: [])
    }

    /// Restores a backup, which is the description of a device, and returns the changes of tokens.
    package func restore(
        backup: DeviceDescription,
        on device: String
    ) async throws(CallError) -> BackupRestoration {
        try await control.post("\(Self.path(of: device))/restoration", backup)
    }

    /// Opens an app on a device, and returns the scene that was chosen, and why.
    package func openApp(_ app: BundleIdentifier, on device: String) async throws(CallError) -> OpenedScene {
        try await control.post("\(Self.path(of: app, on: device))/open", bytes: [], headers: [])
    }

    /// Opens a URL on a device, in an app, on a page in the browser or outside of any, and returns its destination, and why.
    package func openURL(
        _ url: String,
        from app: BundleIdentifier? = nil,
        page: String? = nil,
        on device: String
    ) async throws(CallError) -> OpenedURL {
        try await control.post("\(Self.path(of: device))/open", URLToOpen(url: url, from: app, page: page))
    }

    /// Performs the quick action of a type, and returns the scene that was chosen, and why.
    package func performShortcutItem(
        _ type: String,
        of app: BundleIdentifier,
        on device: String
    ) async throws(CallError) -> OpenedScene {
        let path = "\(Self.path(of: app, on: device))/shortcutItems/\(PercentEncoding.escaped(type))/perform"
        return try await control.post(path, bytes: [], headers: [])
    }

    /// Sends the activity of a scene to another device.
    package func handOff(
        _ app: BundleIdentifier,
        scene: SceneIdentifier?,
        to token: DeviceToken,
        from device: String
    ) async throws(CallError) -> HandedActivity {
        let path = "\(Self.path(of: app, on: device))/handoff"
        return try await control.post(path, ActivityHandoff(to: token, scene: scene))
    }

    /// Returns the activities that a device offers, once there are `count` of them or after ten seconds.
    package func activities(on device: String, atLeast count: Int) async throws(CallError) -> [OfferedActivity] {
        try await control.get("\(Self.path(of: device))/activities?wait=\(count)")
    }

    /// Continues an offered activity, whose data does not arrive if there is an error.
    ///
    /// - Returns: the scene that was chosen, and why.
    package func continueActivity(
        _ id: NotificationID,
        on device: String,
        failingWith error: HandoffError? = nil
    ) async throws(CallError) -> OpenedScene {
        let query = error.map { "?error=\($0.rawValue)" } ?? ""
        let path = "\(Self.path(of: device))/activities/\(PercentEncoding.escaped(id.rawValue))/continue\(query)"
        return try await control.post(path, bytes: [], headers: [])
    }

    /// Returns the messages on a device, the oldest first, once there are `count` of them or after ten seconds.
    package func messages(on device: String, atLeast count: Int) async throws(CallError) -> [Message] {
        try await control.get("\(Self.path(of: device))/messages?wait=\(count)")
    }

    /// Applies an event to a device, and returns the device's reaction.
    package func apply(_ event: DeviceEvent, to device: String) async throws(CallError) -> DeviceReaction {
        try await control.post("\(Self.path(of: device))/events", event)
    }

    /// Follows what happens on a device until the stream ends; the next effect waits until `handle` returns.
    package func follow(_ device: String, handle: (DeviceEffect) async throws -> Void) async throws {
        try await control.follow("\(Self.path(of: device))/events") { events in
            for event in events where event.type == "effect" {
                try await handle(try DocumentDecoder.decode(DeviceEffect.self, fromDeepJSON: event.data.utf8))
            }
        }
    }

    /// Returns the apps on a device, each with its scenes, in the form of a device file.
    package func appDescriptions(on device: String) async throws(CallError) -> [AppDescription] {
        try await control.get("\(Self.path(of: device))/scenes")
    }

    /// Returns the contacts on a device.
    package func contacts(on device: String) async throws(CallError) -> [Contact] {
        try await control.get("\(Self.path(of: device))/contacts")
    }

    /// Returns the conversations on a device.
    package func conversations(on device: String) async throws(CallError) -> [Conversation] {
        try await control.get("\(Self.path(of: device))/conversations")
    }

    /// Returns the user's choices about sharing, and whether automatic sharing is offered.
    package func sharingSettings(of device: String) async throws(CallError) -> SharingSettings {
        try await control.get("\(Self.path(of: device))/sharing")
    }

    /// Returns the picture of the open offer of automatic sharing with an app, as SVG.
    package func offerPicture(of app: BundleIdentifier, on device: String) async throws(CallError) -> String {
        try await picture("offer", in: app, on: device)
    }

    /// Returns the links from Messages that a person finds on a device, and why.
    package func search(_ query: String, limit: Int, on device: String) async throws(CallError) -> [FoundLink] {
        try await control.get("\(Self.path(of: device))/search?q=\(PercentEncoding.escaped(query))&limit=\(limit)")
    }

    /// Copies a device.
    package func fork(_ device: String, as fork: DeviceFork) async throws(CallError) -> DeviceStatus {
        try await control.post("\(Self.path(of: device))/fork", fork)
    }

    /// Returns a page of an app's highlights, with the reasons for their order.
    package func shelf(
        of app: BundleIdentifier,
        from offset: Int = 0,
        limit: Int = 20,
        on device: String
    ) async throws(CallError) -> ShelfReport {
        try await control.get("\(Self.path(of: app, on: device))/shelf?offset=\(offset)&limit=\(limit)")
    }

    /// Returns the state of the association files that a device's apps need.
    package func associationFiles(of device: String) async throws(CallError) -> [AssociationFileStatus] {
        try await control.get("\(Self.path(of: device))/associations")
    }

    /// Fetches the association files of all domains on a device, and returns their state.
    package func checkAssociations(of device: String) async throws(CallError) -> [AssociationFileStatus] {
        try await control.post("\(Self.path(of: device))/associations/check", bytes: [], headers: [])
    }

    /// Returns what a device did with a notification, and why.
    package func explain(
        _ notification: NotificationID,
        on device: String
    ) async throws(CallError) -> NotificationDecision {
        try await control.get(
            "\(Self.path(of: device))/notifications/\(PercentEncoding.escaped(notification.rawValue))/explain"
        )
    }

    /// Returns the association file of any domain, as a device fetches it now.
    package func associationContent(
        of domain: String,
        on device: String
    ) async throws(CallError) -> AssociationFileContent {
        try await control.get("\(Self.path(of: device))/associations/content?domain=\(PercentEncoding.escaped(domain))")
    }

    /// Returns, for each app of a device that has associated domains, whether it may be offered `url`, and why.
    package func explain(_ url: String, on device: String) async throws(CallError) -> [LinkDecision] {
        try await control.get("\(Self.path(of: device))/explain?url=\(PercentEncoding.escaped(url))")
    }

    /// Returns whether an app's shelf has a link, and every gate that the link passed or failed.
    package func explain(
        _ url: String,
        in app: BundleIdentifier,
        on device: String
    ) async throws(CallError) -> LinkExplanation {
        try await control.get("\(Self.path(of: app, on: device))/explain?url=\(PercentEncoding.escaped(url))")
    }

    /// Returns which scene of an app would open for a query, and why; the device stays as it is.
    package func explainScene(
        _ query: SceneQuery,
        of app: BundleIdentifier,
        on device: String
    ) async throws(CallError) -> SceneDecision {
        try await control.post("\(Self.path(of: app, on: device))/explain", query)
    }

    /// Installs an app, or another version of it, and returns the credential for its processes.
    package func install(_ app: AppDescription, on device: String) async throws(CallError) -> AppCredential {
        try await control.post("\(Self.path(of: device))/apps", app)
    }

    /// Returns the apps on a device.
    package func apps(of device: String) async throws(CallError) -> [AppStatus] {
        try await control.get("\(Self.path(of: device))/apps")
    }

    /// Returns the rich previews that an app supplied, once there are `count` of them or after ten seconds.
    package func previews(
        of app: BundleIdentifier,
        on device: String,
        atLeast count: Int
    ) async throws(CallError) -> [LinkPreview] {
        try await control.get("\(Self.path(of: app, on: device))/previews?wait=\(count)")
    }

    /// Returns a report of the contents and the layout of a link's attribution view.
    package func attribution(
        of url: String,
        in app: BundleIdentifier,
        on device: String
    ) async throws(CallError) -> AttributionReport {
        try await control.get("\(Self.path(of: app, on: device))/attribution?url=\(PercentEncoding.escaped(url))")
    }

    /// Returns a report on an attribution view of an app.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - query: the link (`url`) or the handle of a view (`view`), and the options of the layout.
    ///   - device: the device.
    /// - Returns: the report.
    /// - Throws: `CallError`.
    package func attribution(
        in app: BundleIdentifier,
        query: [(name: String, value: String)],
        on device: String
    ) async throws(CallError) -> AttributionReport {
        try await control.get("\(Self.path(of: app, on: device))/attribution\(PercentEncoding.query(query))")
    }

    /// Returns a picture of an app's links, as SVG.
    ///
    /// - Parameters:
    ///   - kind: `attribution`, `menu`, `disambiguation`, `offer` or `shelf`.
    ///   - app: the app.
    ///   - query: the link (`url`) or the handle of a view (`view`), and the options of the picture.
    ///   - device: the device.
    /// - Returns: the picture.
    /// - Throws: `CallError`.
    package func picture(
        _ kind: String,
        in app: BundleIdentifier,
        query: [(name: String, value: String)] = [],
        on device: String
    ) async throws(CallError) -> String {
        try await control.getString("\(Self.path(of: app, on: device))/\(kind).svg\(PercentEncoding.query(query))")
    }

    /// Returns the picture of the menu or the conversation that is over an app now, or else of an open offer, as SVG.
    package func presentationPicture(
        query: [(name: String, value: String)] = [],
        on device: String
    ) async throws(CallError) -> String {
        try await control.getString("\(Self.path(of: device))/presentation.svg\(PercentEncoding.query(query))")
    }

    /// Returns the picture of a link's attribution view, as SVG.
    package func attributionPicture(
        of url: String,
        in app: BundleIdentifier,
        on device: String
    ) async throws(CallError) -> String {
        try await picture("attribution", in: app, query: [("url", url)], on: device)
    }

    /// Returns the context menu of a link's content in an app.
    package func contextMenu(
        of url: String,
        in app: BundleIdentifier,
        on device: String
    ) async throws(CallError) -> ContentMenuReport {
        try await control.get("\(Self.path(of: app, on: device))/menu?url=\(PercentEncoding.escaped(url))")
    }

    /// Chooses an item in the context menu of a link's content, as the user does.
    package func choose(
        _ item: MenuItemID,
        ofLink url: String,
        in app: BundleIdentifier,
        on device: String
    ) async throws(CallError) -> DeviceReaction {
        let path = "\(Self.path(of: app, on: device))/menu/\(PercentEncoding.escaped(item.rawValue))"
        return try await control.post("\(path)?url=\(PercentEncoding.escaped(url))", bytes: [], headers: [])
    }

    /// Returns the picture of an app's shelf, as SVG.
    package func shelfPicture(of app: BundleIdentifier, on device: String) async throws(CallError) -> String {
        try await picture("shelf", in: app, on: device)
    }

    /// Returns the attribution views that apps on a device requested.
    package func requestedAttributions(on device: String) async throws(CallError) -> [RequestedAttribution] {
        try await control.get("\(Self.path(of: device))/attributions")
    }

    /// Returns the credential for the processes of an app.
    package func credential(of app: BundleIdentifier, on device: String) async throws(CallError) -> AppCredential {
        try await control.get("\(Self.path(of: app, on: device))/credential")
    }

    /// Returns the number of entries in the journal of a device.
    package func journalLength(of device: String) async throws(CallError) -> Int {
        // Beyond its end, a journal has an empty page with its length.
        try await journal(of: device, after: .max).next
    }

    /// Returns the whole journal of a device.
    package func wholeJournal(of device: String) async throws(CallError) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        while true {
            let page = try await journal(of: device, after: entries.count)
            if page.entries.isEmpty { return entries }
            entries += page.entries
        }
    }

    private static func path(of device: String) -> String {
        "/v1/devices/\(PercentEncoding.escaped(device))"
    }

    private static func path(of app: BundleIdentifier, on device: String) -> String {
        "\(path(of: device))/apps/\(PercentEncoding.escaped(app.rawValue))"
    }
}
