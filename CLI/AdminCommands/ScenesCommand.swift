internal import ArgumentParser
internal import DescriptionFiles
internal import Targeting
internal import WaypostSchema

/// Asks scene selection: `waypost scenes`.
struct ScenesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenes",
        abstract: "Ask which scene of an app opens, and why.",
        subcommands: [ScenesSelectCommand.self]
    )
}

/// Selects scenes: `waypost scenes select`.
struct ScenesSelectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Select the scene that opens for a target content identifier.",
        usage: """
            waypost scenes select --scenes <file> --identifier <identifier>
            waypost scenes select --scenes <file> [<file> ...]
            """,
        discussion: """
            The scenes file describes one app in YAML or JSON: bundleIdentifier, scenes, and whether it \
            supportsMultipleScenes; 'waypost schema' has it as AppDescription.

            Without an identifier: a filter. Each line {"targetContentIdentifier":"…"} is answered with the chosen \
            scene and the trace of every scene.
            """
    )

    @Option(help: ArgumentHelp("The file that describes the app and its scenes.", valueName: "file"))
    var scenes: String

    @Option(help: "The target content identifier; an empty one counts as none.")
    var identifier: String?

    @OptionGroup var output: OutputOptions

    @Argument(help: "Files of JSON Lines; '-' or none: standard input.")
    var files: [String] = []

    func validate() throws {
        guard identifier == nil || files.isEmpty else {
            throw ValidationError("files are not read where --identifier is given")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let app = try readApp()
            let candidates = try candidates(of: app)
            var writer = AnswerWriter(output.resolved) { $0.map(Self.table).joined(separator: "\n\n") }
            let answer = { (query: SceneQuery) in
                try writer.write(
                    SceneSelection.select(
                        for: query.targetContentIdentifier,
                        among: candidates,
                        supportsMultipleScenes: app.supportsMultipleScenes
                    )
                )
            }
            if let identifier {
                try answer(SceneQuery(targetContentIdentifier: TargetContentIdentifier(rawValue: identifier)))
            } else {
                try LineInput(files: files).forEach(SceneQuery.self, answer)
            }
            try writer.finish()
        }
    }

    private func readApp() throws -> AppDescription {
        do {
            return try DescriptionFile.read(AppDescription.self, from: scenes)
        } catch {
            throw CommandFailure.unusable("\(error)")
        }
    }

    private func candidates(of app: AppDescription) throws -> [SceneCandidate] {
        try app.scenes.map { session in
            do throws(ConditionFault) {
                return try SceneCandidate(session)
            } catch {
                throw CommandFailure.unusable("\(scenes): scene \(session.persistentIdentifier): \(error)")
            }
        }
    }

    private static func table(_ decision: SceneDecision) -> String {
        let rows = decision.trace.map { trace in
            [
                trace.won ? "▶ \(trace.scene)" : "  \(trace.scene)",
                trace.state.rawValue,
                trace.can.map { "\($0.result)" } ?? "–",
                trace.prefers.map { "\($0.result)" } ?? "–",
                trace.explanation,
            ]
        }
        let given = decision.targetContentIdentifier?.rawValue ?? ""
        let identifier = given.isEmpty ? "no identifier" : given
        let table = TextTable(header: ["  Scene", "State", "Can", "Prefers", "Why"], rows: rows)
        let findings = decision.findings.map { "! \($0)" }
        return (["\(identifier): \(decision.explanation)"] + findings + [table.text]).joined(separator: "\n")
    }
}
