internal import Attribution
internal import DeviceFiles
internal import GatewayClient
internal import TextBasics
internal import TextReports
internal import WaypostSchema

/// A process of an app: it performs the steps of its app file, prints its events and takes activations.
struct AppRun: Sendable {
    let file: AppFile
    let client: AppClient
    let format: OutputFormat

    /// Whether the process is that of the app's notification service extension.
    let isServiceExtension: Bool

    /// The maximum number of highlights to read.
    private static let maximumHighlightCount = 100

    /// Runs until the agent ends the connection, and attaches again if the process only missed events.
    ///
    /// - Throws: `CommandFailure` with the reason for the end, or `CallError` if a call fails.
    func run() async throws {
        while true {
            switch try await attach() {
            // The state of the process is out of date, or it missed events, so it attaches again.
            case .restored, .tooSlow: continue
            case .removed: throw CommandFailure.failed("the app was removed, or replaced by another version")
            case .replaced: throw CommandFailure.failed("another process of the app attached")
            case .forceQuit: throw CommandFailure.failed("the user forced the app to quit")
            case .callNotReported:
                throw CommandFailure.failed("the system ended the app, which reported no call or participant")
            case .shutdown: throw CommandFailure.failed("the agent shut down")
            case nil: throw CommandFailure.failed("the agent closed the connection")
            }
        }
    }

    /// Attaches once and returns the agent's reason for the end of the stream, or `nil` if the agent gave none.
    private func attach() async throws -> DetachReason? {
        if isServiceExtension { return try await follow(asServiceExtension: true) { try printAttached() } }
        try await setUp()
        let (viewings, continuation) = AsyncStream.makeStream(of: AppFile.Viewing.self)
        return try await withThrowingTaskGroup(of: DetachReason??.self) { group in
            group.addTask { try await follow(yieldingTo: continuation) }
            group.addTask {
                var shownViewings: [AppFile.Viewing] = []
                // Each viewing is shown once, even if its highlight is updated several times.
                for await viewing in viewings where !shownViewings.contains(viewing) {
                    shownViewings.append(viewing)
                    try await show(viewing)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let reason = result { return reason }
            }
            return nil
        }
    }

    /// Performs the steps for the current highlights and for each event, until the stream ends.
    ///
    /// The highlights that the app must show are yielded to `viewings`.
    private func follow(yieldingTo viewings: AsyncStream<AppFile.Viewing>.Continuation) async throws -> DetachReason? {
        try await follow(yieldingTo: viewings) {
            let page = try await client.highlights(limit: Self.maximumHighlightCount)
            try printAttached(page)
            for step in page.highlights.flatMap(file.steps) { try await perform(step, viewings) }
        }
    }

    /// Performs the steps for each event until the stream ends.
    private func follow(
        yieldingTo viewings: AsyncStream<AppFile.Viewing>.Continuation? = nil,
        asServiceExtension isServiceExtension: Bool = false,
        onAttached: () async throws -> Void
    ) async throws -> DetachReason? {
        var reason: DetachReason?
        var takenActivations: Set<Int> = []
        try await client.follow(asServiceExtension: isServiceExtension, onAttached: onAttached) { event in
            try print(event)
            for step in file.steps(after: event) {
                // A response for which a scene connects comes again as an event.
                if case .take(let activation) = step, !takenActivations.insert(activation.number).inserted { continue }
                try await perform(step, viewings)
            }
            if case .detached(let detachReason) = event { reason = detachReason }
        }
        return reason
    }

    /// Shows a highlight for the specified time.
    private func show(_ viewing: AppFile.Viewing) async throws {
        var preferences = file.process?.attributions ?? AttributionPreferences()
        preferences.displayContext = viewing.displayContext ?? preferences.displayContext
        let request = AttributionRequest(url: viewing.url, preferences: preferences)
        try await ignoringMissingTarget { () async throws(CallError) in
            let view = try await client.attribution(request).view
            try await client.attach(view)
            do {
                try await Task.sleep(for: .seconds(viewing.seconds ?? 0))
            } catch {
                throw .canceled
            }
            try await client.detach(view)
            try await client.release(view)
            if viewing.finishes ?? false { try await client.reportFinishedHighlight(viewing.url) }
        }
        try print(ShownLine(viewing), "shown: \(viewing.url)")
    }

    /// Sets the quick actions and the activation conditions before the process attaches.
    private func setUp() async throws {
        if let items = file.process?.shortcutItems { try await client.set(items) }
        for scene in try await client.app().scenes {
            for step in file.conditionSteps(for: scene.persistentIdentifier) { try await perform(step, nil) }
        }
    }

    private func perform(_ step: AppFile.Step, _ viewings: AsyncStream<AppFile.Viewing>.Continuation?) async throws {
        try await ignoringMissingTarget { () async throws(CallError) in
            switch step {
            case .take(let activation): try await client.take(activation)
            case .finish(let call, let result): try await client.finish(call, with: result)
            case .supply(let preview): try await client.supply(preview)
            case .requestAttribution(let request): _ = try await client.attribution(request)
            case .show(let viewing): viewings?.yield(viewing)
            case .setConditions(let conditions, let scene): try await client.set(conditions, of: scene)
            case .setActivity(let activity, let scene): try await client.set(activity, of: scene)
            }
        }
    }

    /// Makes calls about a highlight or a scene, and only warns if it no longer exists.
    private func ignoringMissingTarget(_ calls: () async throws(CallError) -> Void) async throws {
        do throws(CallError) {
            try await calls()
        } catch {
            guard case .refused(let status, let refusal) = error, status == 403 || status == 404 else { throw error }
            StandardError.write("waypost: \(refusal.message)")
        }
    }

    /// Prints that the process is attached, and its highlights.
    private func printAttached(_ page: HighlightPage) throws {
        let firstLine = "attached: \(page.total) highlights (\(page.state.rawValue))"
        let text = ([firstLine] + page.highlights.map { "  \($0.url)" }).joined(separator: "\n")
        try print(AttachedLine(highlights: page), text)
    }

    /// Prints that the process of the service extension is attached.
    private func printAttached() throws {
        try print(AttachedLine(), "attached as the service extension")
    }

    /// Prints an event.
    private func print(_ event: AppEvent) throws {
        try print(event, event.text)
    }

    /// Prints a value as a line of JSON, or as `text` if the format is `table`.
    private func print(_ value: some Encodable, _ text: String) throws {
        try StandardOutput.write((format == .table ? text.safe(for: .terminalLines) : JSONOutput.line(value)) + "\n")
    }
}

/// The first line that a process prints.
private struct AttachedLine: Encodable {
    let type = "attached"
    var highlights: HighlightPage?
}

/// The line that a process prints after it showed a highlight.
private struct ShownLine: Encodable {
    let type = "shown"
    let url: String
    let displayContext: DisplayContext
    let seconds: Double

    init(_ viewing: AppFile.Viewing) {
        url = viewing.url
        displayContext = viewing.displayContext ?? .summary
        seconds = viewing.seconds ?? 0
    }
}

extension AppEvent {
    /// A description of the event, on one or more lines.
    fileprivate var text: String {
        switch self {
        case .sceneConnected(let scene):
            let activity = scene.session.stateRestorationActivity
            let restorationText = activity.map { ", restored with \($0.activityType)" } ?? ""
            let firstLine = "scene \(scene.session.persistentIdentifier) connects\(restorationText)" + scene.method.note
            let options = scene.connectionOptions.map { "  connection option: \($0.cause)" }
            let announcement = scene.handoffUserActivityType.map { ["  announced: activity \($0)"] } ?? []
            return ([firstLine] + options + announcement).joined(separator: "\n")
        case .interactionStateRestored(let state):
            return "scene \(state.scene) restores \(state.stateRestorationActivity.activityType), \(state.method)"
        case .userActivityAnnounced(let activity):
            return "scene \(activity.scene) will continue activity \(activity.activityType), \(activity.method)"
        case .sceneActivated(let activation):
            return "scene \(activation.scene): \(activation.cause)" + activation.method.note
        case .sceneChanged(let change): return "scene \(change.scene) is \(change.state.rawValue)" + change.method.note
        case .highlightsChanged(let update):
            let changes = update.changes.map { "  \($0.change.rawValue) \($0.highlight.url)" }
            return (["highlights: \(update.total) in all (\(update.state.rawValue))"] + changes).joined(separator: "\n")
        case .attributionProvided(let view):
            return "attribution view \(view.view): \(view.size.width) × \(view.size.height) points, "
                + view.menu.map(\.title).joined(separator: ", ")
        case .presentationChanged(let notice): return "attribution view \(notice.view): \(notice.state.rawValue)"
        case .menuItemChosen(let choice): return "menu item \(choice.item) of \(choice.view) was chosen"
        case .showMoreTapped: return "Show More was tapped: show all highlights"
        case .called(let call): return "call \(call.number): \(call.text)"
        case .liveActivityChanged(let activity):
            return "Live Activity \(activity.id) is \(activity.state.rawValue): \(activity.attributesType)"
        case .tokenChanged(let purpose, let token, let method):
            return "\(purpose.text): \(token.map { "token \($0)" } ?? "no token")" + method.note
        case .detached(let reason): return "detached: \(reason.rawValue)"
        }
    }
}

extension String? {
    /// The method of an event, as the end of a line.
    fileprivate var note: String {
        map { ", \($0)" } ?? ""
    }
}

extension AppCall {
    /// The function, the notification and the user's answer.
    fileprivate var text: String {
        let action = notification.actionIdentifier.map { ", action \($0)" } ?? ""
        let text = notification.userText.map { ", text '\($0)'" } ?? ""
        return "\(function.rawValue) for \(notification.id)\(action)\(text)"
    }
}

extension SceneActivation {
    /// A description of what brought the scene to the front.
    fileprivate var cause: String {
        if let notification { return "notification \(notification.id)" }
        if let shortcutItem { return "quick action \(shortcutItem.type)" }
        if let userActivity {
            return "activity \(userActivity.activityType)"
                + (userActivity.webpageURL.map { ", \($0)" } ?? "")
        }
        if let failedUserActivity {
            return "no data of activity \(failedUserActivity.activityType): \(failedUserActivity.error.rawValue)"
        }
        if let url { return "URL \(url)" }
        return isNewScene ? "a new scene" : "brought to the front"
    }
}
