internal import Attribution
internal import WaypostSchema

/// Prints what a process of an app is told, as it comes.
struct AppPrinter {
    let format: OutputFormat

    /// Prints that the process is attached, and its highlights.
    func write(attachedWith page: HighlightPage) throws {
        let head = "attached: \(page.total) highlights (\(page.state.rawValue))"
        let text = ([head] + page.highlights.map { "  \($0.url)" }).joined(separator: "\n")
        try print(AttachedLine(highlights: page), text)
    }

    /// Prints what the process was told.
    func write(_ event: AppEvent) throws {
        try print(event, event.text)
    }

    /// Prints a line of JSON, or the same as text for a person.
    private func print(_ value: some Encodable, _ text: String) throws {
        try StandardOutput.write((format == .table ? TerminalText.safe(lines: text) : JSONText.line(value)) + "\n")
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
