internal import Targeting
internal import WaypostSchema

/// The scenes that the user sees, the one in front first.
///
/// The order is that of equally suitable scenes: the user touched the one in front last.
struct VisibleWindows {
    /// A scene of an app.
    struct Window: Equatable {
        let app: BundleIdentifier
        let scene: SceneIdentifier
    }

    private let windows: [Window]

    init(of apps: some Collection<InstalledApp>) {
        // A collection of apps may have no order of its own.
        let visible = apps.sorted { $0.bundleIdentifier.rawValue < $1.bundleIdentifier.rawValue }
            .flatMap { app in app.visibleScenes.map { (app: app.bundleIdentifier, scene: $0) } }
        let precedence = ScenePrecedence(candidates: visible.map { $0.scene })
        windows = visible.indices
            .sorted { precedence.precedes($0, $1) || (!precedence.precedes($1, $0) && $0 < $1) }
            .map { Window(app: visible[$0].app, scene: visible[$0].scene.identifier) }
    }

    /// The scene in front; `nil` if the user sees none.
    var front: Window? {
        windows.first
    }

    /// Returns the scenes for which a layout has no room: those that were in front least recently.
    func withoutRoom(in layout: WindowLayout) -> ArraySlice<Window> {
        windows.dropFirst(layout.maximumVisibleScenes ?? windows.count)
    }
}

extension WindowLayout {
    /// The number of scenes for which there is room; `nil` for any number.
    fileprivate var maximumVisibleScenes: Int? {
        switch self {
        case .fullScreen: 1
        case .twoWindows: 2
        case .manyWindows: nil
        }
    }
}
