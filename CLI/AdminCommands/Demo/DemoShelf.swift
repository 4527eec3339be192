internal import Foundation
internal import GatewayClient
internal import LocalProcesses
internal import TextReports
internal import WaypostSchema

/// The part of a demo with links from Messages: the user's actions, and the shelves after them.
struct DemoShelf: Sendable {
    let script: DemoScript
    let agents: [String: AgentClient]

    /// Performs the user's actions.
    ///
    /// - Throws: `CommandFailure` if an action changes nothing.
    func performActions() async throws {
        for action in script.actions {
            let agent = try agent(of: action.device, namedIn: "actions.jsonl")
            for case .system(.eventIgnored(let ignoredEvent)) in try await agent.apply(action.event, to: action.device)
                .effects
            {
                throw CommandFailure.failed(
                    "\(action.event.kind.rawValue) on \(action.device): \(ignoredEvent.explanation)"
                )
            }
            DemoProgress.report("user", "\(action.event.kind.rawValue) on \(action.device)")
        }
    }

    /// Returns the links on the shelves, with the expected ones.
    func links() async throws -> [DemoLink] {
        var links: [DemoLink] = []
        for expectedShelf in script.shelves {
            let agent = try agent(of: expectedShelf.device, namedIn: "shelves.yaml")
            let items = try await agent.shelf(of: expectedShelf.app, on: expectedShelf.device).items
            for index in 0..<max(items.count, expectedShelf.links.count) {
                let item = index < items.count ? items[index] : nil
                links.append(try await link(item, at: index, of: expectedShelf, agent: agent))
            }
        }
        return links
    }

    private func agent(of device: String, namedIn file: String) throws(CommandFailure) -> AgentClient {
        guard let agent = agents[device] else { throw .unusable("\(file): there is no device '\(device)'") }
        return agent
    }

    private func link(
        _ item: RankedHighlight?,
        at index: Int,
        of expectedShelf: DemoScript.ExpectedShelf,
        agent: AgentClient
    ) async throws -> DemoLink {
        var link = DemoLink(device: expectedShelf.device, app: expectedShelf.app, place: index + 1)
        link.expected = index < expectedShelf.links.count ? expectedShelf.links[index] : nil
        guard let item else { return link }
        link.url = item.highlight.url
        let report = try await agent.attribution(
            of: item.highlight.url,
            in: expectedShelf.app,
            on: expectedShelf.device
        )
        // The device puts invisible isolation characters around names, which do not belong in a table.
        link.attribution = report.text.filter { !("\u{2066}"..."\u{2069}").contains($0) }
        link.explanation = item.rank.compactScore
        return link
    }

    /// Draws the first shelf, and the attribution view of its first link.
    func draw(in folder: String) async throws {
        guard let shelf = script.shelves.first, let agent = agents[shelf.device] else { return }
        let previews = script.apps.first { $0.app == shelf.app && $0.device == shelf.device }?.previews ?? []
        // The app's process supplies the previews, possibly only after it is notified of its links.
        _ = try await agent.previews(
            of: shelf.app,
            on: shelf.device,
            atLeast: previews.count { shelf.links.contains($0.url) }
        )
        try await write(agent.shelfPicture(of: shelf.app, on: shelf.device), to: "shelf.svg", in: folder)
        guard let url = shelf.links.first else { return }
        let picture = try await agent.attributionPicture(of: url, in: shelf.app, on: shelf.device)
        try write(picture, to: "attribution.svg", in: folder)
    }

    private func write(_ picture: String, to name: String, in folder: String) throws {
        let file = URL(filePath: folder).appending(path: name)
        try OutputFile.write(Data(picture.utf8), to: file)
        DemoProgress.report("picture", file.relativePath)
    }
}

extension AgentClient {
    /// Waits until a process of an app is attached.
    func waitUntilRunning(_ app: BundleIdentifier, on device: String) async throws {
        try await ProcessWait.untilTrue(orFailWith: "the app \(app) did not attach to \(device)") {
            try await apps(of: device).contains { $0.app == app && $0.isRunning }
        }
    }

    /// Waits until a process of an app has taken all activations of its scenes.
    func waitUntilActivationsAreTaken(by app: BundleIdentifier, on device: String) async throws {
        try await ProcessWait.untilTrue(
            orFailWith: "the app \(app) on \(device) did not take all activations of its scenes"
        ) {
            try await apps(of: device).contains { $0.app == app && $0.activations == 0 }
        }
    }
}
