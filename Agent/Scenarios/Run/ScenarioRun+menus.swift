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
        let first = link == nil ? try await agent.shelf(of: app, on: device).items.first?.highlight.url : nil
        var findings = Findings()
        guard let link = link ?? first else {
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
}

extension [[String]] {
    /// The titles of a menu by section, for messages.
    fileprivate var menuText: String {
        isEmpty ? "no items" : map { $0.joined(separator: ", ") }.joined(separator: " | ")
    }
}
