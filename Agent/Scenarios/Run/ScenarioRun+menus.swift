internal import GatewayClient
internal import WaypostSchema

extension ScenarioRun {
    /// Compares the context menu of a link's content; by default, of the first link on the shelf.
    func compareMenu(
        _ expected: [[String]],
        ofLink link: String?,
        in app: BundleIdentifier,
        on device: String
    ) async throws -> Findings {
        let agent = try environment.agent(of: device)
        var findings = Findings()
        guard let link = try await linkOrFirst(link, of: app, on: device) else {
            findings.add("menu", expected.menuText, actual: "no link on the shelf of \(app)")
            return findings
        }
        let menu = try await agent.contextMenu(of: link, in: app, on: device)
        let titles = menu.sections.map { $0.map(\.title) }
        guard titles != expected else { return findings }
        findings.add("menu", expected.menuText, actual: titles.menuText)
        findings.explanations.append(menu.explanation)
        return findings
    }

    /// Returns the link that an expectation names, or else the first one on an app's shelf; `nil` if there is none.
    func linkOrFirst(_ link: String?, of app: BundleIdentifier, on device: String) async throws -> String? {
        if let link { return link }
        return try await environment.agent(of: device).shelf(of: app, on: device).items.first?.highlight.url
    }
}

extension [[String]] {
    /// The titles of a menu by section, for messages.
    fileprivate var menuText: String {
        isEmpty ? "no items" : map { $0.joined(separator: ", ") }.joined(separator: " | ")
    }
}
