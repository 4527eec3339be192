internal import ArgumentParser
internal import Foundation

/// The `waypost demo` command, which runs the whole pipeline.
struct DemoCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run the whole pipeline, and print which scenes open and which links appear, with the reasons.",
        discussion: """
            Starts a gateway, agents and apps as separate processes on free ports. Sends one gzip-compressed batch of \
            notifications and messages, and waits until the devices have acknowledged it. Opens each notification, and \
            prints the chosen scene with the reason; then prints the links from Messages on the apps' shelves, in \
            order, and what further steps lead to: a quick action, a universal link, Handoff, a reply. Stops every process that it started. Exits with 1 if a result differs from the expectation.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Run the demo in this folder, with files like those of --write-files (default: Clown Town).",
            valueName: "folder"
        )
    )
    var directory: String?

    @Option(help: ArgumentHelp("Write the files of Clown Town to this folder, and exit.", valueName: "folder"))
    var writeFiles: String?

    @Option(
        help: ArgumentHelp(
            "Draw the first shelf, and the attribution view of its first link, as SVG files in this folder.",
            valueName: "folder"
        )
    )
    var pictures: String?

    @Flag(help: "Wait for Return before opening the notifications, while everything is running.")
    var pause = false

    @OptionGroup var output: OutputOptions

    func perform() async throws {
        if let writeFiles { return try ClownTown.write(to: URL(filePath: writeFiles)) }
        try report(await InterruptibleRun.run { try await runDemo() })
    }

    private func runDemo() async throws -> [DemoRow] {
        let workspace = try DemoWorkspace()
        defer { workspace.remove() }
        if directory == nil { try ClownTown.write(to: workspace.clownTownFolder) }
        let script = try DemoScript(from: directory.map { URL(filePath: $0) } ?? workspace.clownTownFolder)
        return try await DemoRun(script: script, workspace: workspace, pausesBeforeOpening: pause, pictures: pictures)
            .run()
    }

    private func report(_ rows: [DemoRow]) throws {
        try output.write(rows, table: DemoRow.table)
        let differences = rows.compactMap(\.difference)
        for difference in differences { StandardError.write("✗ \(difference)") }
        if !differences.isEmpty {
            throw CommandFailure.failed("\(differences.count) of \(rows.count) results differ from the expectations")
        }
        let openedCount = rows.count { if case .notification = $0 { true } else { false } }
        let linkCount = rows.count { if case .link = $0 { true } else { false } }
        StandardError.write(
            "✓ all \(openedCount) notifications opened as expected, \(linkCount) links are on their shelves, and "
                + "\(rows.count - openedCount - linkCount) further steps had the expected results"
        )
        StandardError.write("next: 'waypost up' keeps such a gateway and devices running, and says what to try")
    }
}
