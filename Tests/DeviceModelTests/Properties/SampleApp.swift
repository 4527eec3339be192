import WaypostSchema

/// The apps of the histories, each in versions that replace one another.
enum SampleApp {
    static let identifiers: [BundleIdentifier] = ["com.example.tv", "com.example.news", "com.example.mute"]

    static func versions(of app: BundleIdentifier) -> [AppDescription] {
        switch app {
        case "com.example.tv":
            [
                description(app, ["applinks:tv.example", "applinks:*.tv.example"]),
                description(app, ["applinks:tv.example"]),
                description(app, ["applinks:*.tv.example", "applinks:news.example"]),
                description(app, []),
                description(app, ["applinks:tv.example"], hasCapability: false),
            ]
        case "com.example.news":
            [
                description(app, ["applinks:news.example", "applinks:tv.example"]),
                description(app, ["applinks:*.kids.tv.example", "applinks:*.tv.example"]),
            ]
        default: [description(app, ["applinks:tv.example"], hasCapability: false)]
        }
    }

    private static func description(
        _ app: BundleIdentifier,
        _ domains: [String],
        hasCapability: Bool = true
    ) -> AppDescription {
        AppDescription(
            bundleIdentifier: app,
            applicationIdentifier: ApplicationIdentifier(rawValue: "ABCDE12345.\(app)"),
            associatedDomains: domains,
            sharedWithYou: hasCapability,
            scenes: []
        )
    }
}

extension AppDescription {
    /// Returns the domain whose file decides about a host, or `nil` if no entry covers it.
    func domain(for host: String) -> String? {
        if associatedDomains.contains("applinks:\(host)") { return host }
        return associatedDomains.filter { $0.hasPrefix("applinks:*.") }.map { String($0.dropFirst(11)) }
            .filter { host.hasSuffix(".\($0)") }
            .max { $0.count < $1.count }
    }

    var neededDomains: [String] {
        associatedDomains.map { String($0.dropFirst($0.hasPrefix("applinks:*.") ? 11 : 9)) }
    }
}
