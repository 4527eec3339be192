internal import Attribution
internal import WaypostSchema

/// Prints what a process of an app is told, as it comes.
struct AppPrinter {
    /// Something to print.
    enum Note: Sendable {
        /// The process is attached; its highlights are these.
        case attached(HighlightPage)

        /// The process was told something.
        case event(AppEvent)
    }

    private let format: OutputFormat

    init(_ format: OutputFormat) {
        self.format = format
    }

    /// Prints a note: a line of JSON, or lines for a person.
    func write(_ note: Note) throws {
        switch (format, note) {
        case (.table, .attached(let page)):
            try print("attached: \(page.total) highlights (\(page.state.rawValue))")
            for highlight in page.highlights { try print("  \(highlight.url)") }
        case (.table, .event(let event)): try print(event.text)
        case (_, .attached(let page)): try print(JSONText.line(AttachedLine(highlights: page)))
        case (_, .event(let event)): try print(JSONText.line(event))
        }
    }

    private func print(_ line: String) throws {
        try StandardOutput.write(format == .table ? TerminalText.safe(lines: line) + "\n" : line + "\n")
    }
}

/// The first line that a process prints.
private struct AttachedLine: Encodable {
    let type = "attached"
    let highlights: HighlightPage
}

extension AppEvent {
    /// The event for a person, on one line or several.
    fileprivate var text: String {
        switch self {
        case .sceneConnected(let scene):
            let restored = scene.session.stateRestorationActivity.map { ", restored with \($0.activityType)" } ?? ""
            let head = "scene \(scene.session.persistentIdentifier) connects\(restored)"
            return ([head] + scene.connectionOptions.map { "  connection option: \($0.cause)" }).joined(separator: "\n")
        case .sceneActivated(let activation): return "scene \(activation.scene): \(activation.cause)"
        case .sceneChanged(let change): return "scene \(change.scene) is \(change.state.rawValue)"
        case .highlightsChanged(let update):
            let changes = update.changes.map { "  \($0.change.rawValue) \($0.highlight.url)" }
            return (["highlights: \(update.total) in all (\(update.state.rawValue))"] + changes).joined(separator: "\n")
        case .attributionProvided(let view):
            return "attribution view \(view.view): \(view.size.width) × \(view.size.height) points, "
                + view.menu.map(\.title).joined(separator: ", ")
        case .presentationChanged(let notice): return "attribution view \(notice.view): \(notice.state.rawValue)"
        case .menuItemChosen(let chosen): return "menu item \(chosen.item) of \(chosen.view) was chosen"
        case .detached(let reason): return "detached: \(reason.rawValue)"
        }
    }
}

extension SceneActivation {
    /// What brought the scene to the front, for a person.
    fileprivate var cause: String {
        if let notification { return "notification \(notification.id)" }
        if let shortcutItem { return "quick action \(shortcutItem.type)" }
        if let userActivity {
            return "activity \(userActivity.activityType)"
                + (userActivity.webpageURL.map { ", \($0)" } ?? "")
        }
        return isNewScene ? "a new scene" : "brought to the front"
    }
}
