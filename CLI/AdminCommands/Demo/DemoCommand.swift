internal import ArgumentParser
internal import Foundation
internal import UnixSignals

/// Runs the whole pipeline: `waypost demo`.
struct DemoCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run the whole pipeline: a gateway, devices, apps, a batch; which scene opens, which links appear.",
        discussion: """
            Starts a gateway, agents and apps as processes of their own on free ports, sends one gzip-compressed batch \
            of notifications and messages, waits until the devices acknowledged it, opens each notification, and prints \
            the scene that was chosen and why; then the links from Messages that are on the apps' shelves, in order. \
            Everything that was started is stopped. Exits 1 where something is not as expected.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Run the demo of this folder, with files as --write-files writes them (default: Clown Town).",
            valueName: "folder"
        )
    )
    var directory: String?

    @Option(help: ArgumentHelp("Write the files of Clown Town to this folder and end.", valueName: "folder"))
    var writeFiles: String?

    @Option(
        help: ArgumentHelp(
            "Draw the first shelf and the attribution view of its first link into this folder, as SVG.",
            valueName: "folder"
        )
    )
    var pictures: String?

    @Flag(help: "Wait for Return before the notifications are opened, with everything running.")
    var pause = false

    @OptionGroup var output: OutputOptions

    func perform() async throws {
        if let writeFiles { return try ClownTown.write(to: URL(filePath: writeFiles)) }
        try report(await InterruptibleRun.run { try await rows() })
    }

    private func rows() async throws -> [DemoRow] {
        let workspace = try DemoWorkspace()
        defer { workspace.remove() }
        if directory == nil { try ClownTown.write(to: workspace.files) }
        let script = try DemoScript(from: directory.map { URL(filePath: $0) } ?? workspace.files)
        return try await DemoRun(script: script, workspace: workspace, pausesBeforeOpening: pause, pictures: pictures)
            .run()
    }

    private func report(_ rows: [DemoRow]) throws {
        try output.write(rows, table: DemoRow.table)
        let differences = rows.compactMap(\.difference)
        for difference in differences { StandardError.write("✗ \(difference)") }
        if !differences.isEmpty {
            throw CommandFailure.no("\(differences.count) of \(rows.count) came otherwise than expected")
        }
        let opened = rows.count { if case .opened = $0 { true } else { false } }
        StandardError.write(
            "✓ all \(opened) notifications opened as expected, and \(rows.count - opened) links are on their shelves"
        )
    }
}

/// Work that SIGINT, SIGTERM and SIGHUP cancel, so that it can stop what it started.
enum InterruptibleRun {
    static func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            guard let value = first else {
                // What was started is stopped before this returns: the group waits for its tasks.
                throw CancellationError()
            }
            return value
        }
    }
}
