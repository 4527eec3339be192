internal import WaypostSchema

/// URLs with a scheme of an app (`CFBundleURLSchemes`).
extension DeviceModel {
    /// Opens a URL in the first app by bundle identifier that has its scheme, and there in the scene that accepts it.
    ///
    /// - Throws: `IgnoredEvent` if no app has the scheme, the device is locked, or no declaration accepts the URL.
    mutating func openCustomURL(
        _ url: String,
        scheme: String,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        let matchingApps = apps.filter { $0.value.hasURLScheme(scheme) }.keys.sorted { $0.rawValue < $1.rawValue }
        guard let app = matchingApps.first else {
            throw .unknownURLScheme(scheme, schemes: Set(apps.values.flatMap(\.urlSchemes)))
        }
        try requireUnlocked()
        let opened = try activateScene(for: .urlContext(url), of: app, .customURL, at: now) { $0.url = url }
        let others = matchingApps.dropFirst().map { "; \($0) has it too, but comes later by bundle identifier" }
        return .scene(
            .urlOpened(
                OpenedURL(
                    url: url,
                    destination: .app,
                    explanation: "\(app) opens: it has the URL scheme '\(scheme)'\(others.joined())",
                    opened: opened,
                    links: []
                )
            )
        )
    }
}

extension IgnoredEvent {
    fileprivate static func unknownURLScheme(_ scheme: String, schemes: Set<String>) -> Self {
        let others = schemes.sorted().joined(separator: ", ")
        let hint = others.isEmpty ? "no app has any (urlSchemes)" : "the schemes of the apps are \(others)"
        return Self(
            reason: .unknownURLScheme,
            explanation: "no app on the device has the URL scheme '\(scheme)'; \(hint)"
        )
    }
}
