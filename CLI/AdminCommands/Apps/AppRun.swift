internal import GatewayClient
internal import WaypostSchema

/// A process of an app: it does what its file says, prints what it is told, and takes what brought its scenes to the front.
struct AppRun: Sendable {
    let file: AppFile
    let client: AppClient
    let format: OutputFormat

    /// How many highlights it reads at most.
    private static let limit = 100

    /// Runs until the process is told nothing more.
    ///
    /// - Throws: `CommandFailure` where that is for good; `CallError`.
    func run() async throws {
        while true {
            switch try await attach() {
            // What it knew is true no more, or it missed something: it begins anew.
            case .restored, .tooSlow: continue
            case .removed: throw CommandFailure.no("the app was removed, or replaced by another version")
            case .replaced: throw CommandFailure.no("another process of the app attached")
            case .shutdown: throw CommandFailure.no("the agent shut down")
            case nil: throw CommandFailure.no("the agent closed the connection")
            }
        }
    }

    /// Attaches once; returns why nothing more was told.
    private func attach() async throws -> DetachReason? {
        let printer = AppPrinter(format: format)
        var reason: DetachReason?
        try await setUp()
        try await client.follow {
            let page = try await client.highlights(limit: Self.limit)
            try printer.write(attachedWith: page)
            for step in page.highlights.flatMap(file.steps) { try await perform(step) }
        } handle: { event in
            try printer.write(event)
            for step in file.steps(after: event) { try await perform(step) }
            if case .detached(let told) = event { reason = told }
        }
        return reason
    }

    /// Does what the file says that the process does before anything else.
    private func setUp() async throws {
        if let items = file.process?.shortcutItems { try await client.set(items) }
        for scene in try await client.app().scenes {
            for step in file.conditions(of: scene.persistentIdentifier) { try await perform(step) }
        }
    }

    private func perform(_ step: AppFile.Step) async throws {
        do throws(CallError) {
            switch step {
            case .take(let activation): try await client.take(activation)
            case .supply(let preview): try await client.supply(preview)
            case .ask(let request): _ = try await client.attribution(request)
            case .setConditions(let conditions, let scene): try await client.set(conditions, of: scene)
            case .setActivity(let activity, let scene): try await client.set(activity, of: scene)
            }
        } catch {
            // What it is about may be gone by now: the highlight, the scene.
            guard case .refused(let status, let refusal) = error, status == 403 || status == 404 else { throw error }
            StandardError.write("waypost: \(refusal.message)")
        }
    }
}
