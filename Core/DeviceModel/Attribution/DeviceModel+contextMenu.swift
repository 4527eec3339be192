internal import Attribution
internal import Highlights
public import WaypostSchema

/// The context menus of the content of apps, with the items of attribution views in them.
extension DeviceModel {
    /// Returns the context menu of a link's content in an app, as the app builds it now.
    ///
    /// The items of the attribution view are in it if the app has a highlight for the link. They have the title that
    /// the app gave to its attribution view of the link, or else to the menu.
    ///
    /// - Parameters:
    ///   - url: the URL of the content.
    ///   - app: the app.
    /// - Returns: the menu, or `nil` if the app is not on the device.
    public func contextMenu(of url: String, in app: BundleIdentifier) -> ContentMenuReport? {
        guard let installed = apps[app] else { return nil }
        let hasHighlight = sharing.sharedLink(url, of: app) != nil
        let key = sharing.contentKey(of: url)
        let view = hasHighlight ? views.all { $0.app == app && $0.key == key }.first : nil
        let menu = installed.contextMenu ?? ContentMenu(items: [])
        let viewMenu = AttributionMenu(
            preferences: menu.preferences(for: view),
            in: traits.language,
            isUserLanguage: traits.isTranslated
        )
        let viewItems = hasHighlight ? viewMenu.systemItems : []
        return ContentMenuReport(
            app: app,
            url: url,
            view: view?.view,
            sections: ContextMenu(menu, viewItems: viewItems).sections,
            explanation: explanation(of: menu, viewItems, of: url, in: app),
            findings: menu.findings + (hasHighlight ? viewMenu.findings.filter(\.isAboutHideTitle) : [])
        )
    }

    /// Returns where the items of the attribution view are, or why they are missing.
    private func explanation(
        of menu: ContentMenu,
        _ viewItems: [MenuItem],
        of url: String,
        in app: BundleIdentifier
    ) -> String {
        guard !viewItems.isEmpty else {
            let decision = sharing.explanation(of: url, for: app)
            let gate = decision.gates.first { $0.gate == decision.decidedBy }
            let reason = gate.map { ": \($0.gate.rawValue): \($0.explanation)" } ?? ""
            return "there are no items of an attribution view, because \(app) has no highlight for the link\(reason)"
        }
        let titles = viewItems.map(\.title).joined(separator: " and ")
        let count = menu.usableItems.count
        guard count > 0 else { return "\(titles) are alone, because \(app) describes no items (contextMenu)" }
        guard menu.placement == .inline else { return "\(titles) are at the end, after the items of \(app)" }
        return "\(titles) are inline, after \(min(max(menu.after ?? 0, 0), count)) of the \(count) items of \(app)"
    }

    /// Returns whether an app describes an item for the context menu of its content.
    func hasContextMenuItem(_ item: MenuItemID, in app: BundleIdentifier) -> Bool {
        apps[app]?.contextMenu?.usableItems.contains { $0.id == item } ?? false
    }
}

extension ContentMenu {
    /// Returns the preferences for the items of an attribution view, which the app may have requested.
    fileprivate func preferences(for view: RequestedView?) -> AttributionPreferences {
        var preferences = view?.preferences ?? AttributionPreferences()
        preferences.menuTitleForHideAction = preferences.menuTitleForHideAction ?? menuTitleForHideAction
        return preferences
    }
}

extension AttributionFinding {
    /// Whether it is about the title of the item that removes the content, which this menu shows, too.
    fileprivate var isAboutHideTitle: Bool {
        code == .hideTitleWithoutRemove
    }
}
