internal import ArgumentParser
internal import Foundation
internal import UnixSignals

/// Runs the whole pipeline: `waypost demo`.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run the whole pipeline: a gateway, two devices, a batch, and which scene each notification opens.",
        discussion: """
            Starts a gateway and two agents as processes of their own on free ports, sends one gzip-compressed batch, \
            waits until the devices acknowledged it, opens each notification, and prints the scene that was chosen \
            and why. Everything that was started is stopped. Exits 1 where a choice is not the expected one.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Run the demo of this folder: devices/*.yaml, batch.jsonl and expectations.yaml (default: Clown Town).",
            valueName: "folder"
        )
    )
    var directory: String?

    @Option(help: ArgumentHelp("Write the files of Clown Town to this folder and end.", valueName: "folder"))
    var writeFiles: String?

    @Flag(help: "Wait for Return before the notifications are opened, with everything running.")
    var pause = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await reportingFailures {
            if let writeFiles { return try ClownTown.write(to: URL(filePath: writeFiles)) }
            try report(await InterruptibleRun.run { try await outcomes() })
        }
    }

    private func outcomes() async throws -> [DemoOutcome] {
        let workspace = try DemoWorkspace()
        defer { workspace.remove() }
        if directory == nil { try ClownTown.write(to: workspace.files) }
        let script = try DemoScript(from: directory.map { URL(filePath: $0) } ?? workspace.files)
        return try await DemoRun(script: script, workspace: workspace, pausesBeforeOpening: pause).run()
    }

    private func report(_ outcomes: [DemoOutcome]) throws {
        var writer = AnswerWriter(output.resolved, table: DemoOutcome.table)
        for outcome in outcomes { try writer.write(outcome) }
        try writer.finish()
        let differences = outcomes.compactMap(\.difference)
        for difference in differences { StandardError.write("✗ \(difference)") }
        if !differences.isEmpty {
            let count = "\(differences.count) of \(outcomes.count)"
            throw CommandFailure.no("\(count) notifications opened otherwise than expected")
        }
        StandardError.write("✓ all \(outcomes.count) notifications opened as expected")
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
