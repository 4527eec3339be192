import Foundation
import Testing
import WaypostTestSupport

@Suite(.timeLimit(.minutes(5)), .serialized) struct DemoTests {
    /// Returns whether a process is still running.
    private static func isRunning(_ identifier: Int32) -> Bool {
        kill(identifier, 0) == 0
    }

    /// Parses the process identifiers in the demo's lines about its gateway, agents and app.
    private static func identifiers(in lines: [String]) -> [Int32] {
        lines.compactMap { line in
            guard ["gateway", "agent", "app "].contains(where: line.hasPrefix), let place = line.range(of: "pid ")
            else {
                return nil
            }
            return Int32(line[place.upperBound...].prefix(while: \.isNumber))
        }
    }

    private static func withClownTown<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clown-town-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let written = try await Program.run("waypost", ["demo", "--write-files", folder.path])
        #expect(written.status == 0)
        return try await body(folder)
    }

    @Test(.proves("T33", "T46")) func clownTownOpensEveryNotificationAsExpected() async throws {
        let demo = try await Program.run("waypost", ["demo"])
        #expect(demo.status == 0, "\(demo.errors)")
        let outcomes = demo.output.split(separator: "\n")
        #expect(outcomes.count == 11)
        #expect(outcomes.first?.contains(#""scene":"crusty-detail""#) == true)
        #expect(demo.errors.contains("token     com.example.scripts, app  device Mac"), "\(demo.errors)")
        let processes = Self.identifiers(in: demo.errors.components(separatedBy: "\n"))
        #expect(processes.count == 7)
        #expect(!processes.contains(where: Self.isRunning))
    }

    @Test func sceneSelectionTakesTheAppFilesOfTheDemo() async throws {
        try await Self.withClownTown { folder in
            let apps = folder.appending(path: "apps/ipad")
            let files = try FileManager.default.contentsOfDirectory(atPath: apps.path)
            #expect(files.contains("clowntown.yaml"))
            for file in files {
                let path = apps.appending(path: file).path
                let result = try await Program.run(
                    "waypost",
                    [
                        "scenes", "select", "--scenes", path, "--target-content-id",
                        "https://clowntown.example/clowns/crusty",
                    ]
                )
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains(#""outcome":"create""#), "\(result.output)")
            }
        }
    }

    @Test(.proves("B1", "B10", "B13")) func demoShowsTheShelfOfTheTVAppInATableAndPictures() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let demo = try await Program.run("waypost", ["demo", "--format", "table", "--pictures", folder.path])
        #expect(demo.status == 0, "\(demo.errors)")
        let rows = demo.output.split(separator: "\n").filter { $0.contains("shelf of com.example.tv") }
        #expect(rows.count == 2)
        #expect(rows.first?.contains("Link from Enrique") == true)
        #expect(rows.first?.contains("+1000 pinned") == true)
        let shelf = try String(contentsOf: folder.appending(path: "shelf.svg"), encoding: .utf8)
        #expect(shelf.contains("Pie in the Sky") && shelf.contains("Božena"))
        let view = try String(contentsOf: folder.appending(path: "attribution.svg"), encoding: .utf8)
        #expect(view.contains("Enrique"))
    }

    @Test(.proves("T34", "T37", "B3", "B35"))
    func demoShowsAQuickActionHandoffAUniversalLinkAndAReply() async throws {
        let demo = try await Program.run("waypost", ["demo", "--format", "table"])
        #expect(demo.status == 0, "\(demo.errors)")
        let rows = demo.output.split(separator: "\n").suffix(4).map { row in
            row.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        let starts = [
            "✓ iPad Quick action com.example.clowntown.call-crusty https://clowntown.example/clowns/crusty crusty-detail",
            "✓ Mac Handoff of Crusty https://clowntown.example/clowns/crusty town town can display the content",
            "✓ iPad Universal link https://tv.example/shows/lasso watch-now com.example.tv opens",
            "✓ Enrique's iPhone Reply \"Watching it now\" https://tv.example/shows/lasso Messages",
        ]
        for (row, start) in zip(rows, starts) { #expect(row.hasPrefix(start)) }
    }

    @Test func stepWithAnotherResultIsADifference() async throws {
        try await Self.withClownTown { folder in
            let file = folder.appending(path: "steps.yaml")
            let steps = """
                - { device: iPad, openURL: https://tv.example/elsewhere, expected: { app: com.example.tv } }
                """
            try Data(steps.utf8).write(to: file)
            let demo = try await Program.run("waypost", ["demo", "--directory", folder.path])
            #expect(demo.status == 1)
            #expect(demo.errors.contains("Universal link: expected com.example.tv, got iPad"), "\(demo.errors)")
        }
    }

    @Test func incompleteStepIsReported() async throws {
        try await Self.withClownTown { folder in
            let step = "- { device: iPad, app: com.example.tv, replyTo: https://tv.example/shows/lasso, expected: {} }"
            try Data(step.utf8).write(to: folder.appending(path: "steps.yaml"))
            let demo = try await Program.run("waypost", ["demo", "--directory", folder.path])
            #expect(demo.status == 2)
            #expect(demo.errors.contains("steps.yaml: a step on iPad needs"), "\(demo.errors)")
        }
    }

    @Test func missingLinkOnTheShelfIsADifference() async throws {
        try await Self.withClownTown { folder in
            let file = folder.appending(path: "batch.jsonl")
            let text = try String(contentsOf: file, encoding: .utf8)
            // The sender of the second link is no longer a contact.
            let changed = text.replacingOccurrences(
                of: #""handles":["bozena@clowntown.example"]"#,
                with: #""handles":[]"#
            )
            #expect(changed != text)
            try Data(changed.utf8).write(to: file)
            let demo = try await Program.run("waypost", ["demo", "--directory", folder.path])
            #expect(demo.status == 1)
            #expect(demo.errors.contains("place 2: expected https://tv.example/shows/pie-in-the-sky, got nothing"))
        }
    }

    @Test func tableExplainsEverySelection() async throws {
        let demo = try await Program.run("waypost", ["demo", "--format", "table"])
        #expect(demo.status == 0)
        #expect(demo.output.contains("crusty-detail prefers the content"))
        #expect(demo.output.contains("overview can display the content, and no scene prefers it"))
    }

    @Test func changedPreferenceOfASceneIsADifference() async throws {
        try await Self.withClownTown { folder in
            let file = folder.appending(path: "devices/ipad.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            let swapped = text.replacingOccurrences(of: "clowns/crusty\"", with: "clowns/giggles\"")
            #expect(swapped != text)
            try Data(swapped.utf8).write(to: file)
            let demo = try await Program.run("waypost", ["demo", "--directory", folder.path])
            #expect(demo.status == 1)
            #expect(
                demo.errors.contains("Crusty is on the way: expected crusty-detail on iPad (prefers), got overview")
            )
        }
    }

    @Test func agentThatEndsEarlyIsAFailure() async throws {
        let demo = try await Program.whileRunning("waypost", ["demo", "--pause"]) { running in
            _ = try await running.value(after: "paused")
            let agent = try #require(Self.identifiers(in: running.printedLines).dropFirst().first)
            kill(agent, SIGKILL)
            try await running.enter("")
            while try await running.nextLine() != nil {}
        }
        // The demo may notice first that the agent has ended, or that it does not answer.
        #expect(demo.status == 1 || demo.status == 69)
        let processes = Self.identifiers(in: demo.lines)
        #expect(processes.count == 7)
        #expect(!processes.contains(where: Self.isRunning))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func demoStopsItsProcessesOnASignal(_ signal: Int32) async throws {
        let demo = try await Program.whileRunning("waypost", ["demo", "--pause"]) { running in
            _ = try await running.value(after: "paused")
            running.send(signal)
            while try await running.nextLine() != nil {}
        }
        #expect(demo.status == 130)
        let processes = Self.identifiers(in: demo.lines)
        #expect(processes.count == 7)
        #expect(!processes.contains(where: Self.isRunning))
    }

    @Test func processesOfAKilledDemoEndToo() async throws {
        let demo = try await Program.whileRunning("waypost", ["demo", "--pause"]) { running in
            _ = try await running.value(after: "paused")
            running.send(SIGKILL)
            while try await running.nextLine() != nil {}
        }
        let processes = Self.identifiers(in: demo.lines)
        #expect(processes.count == 7)
        // A process that has ended may stay in the table without its arguments, until the system removes it.
        let arguments = processes.map { "/proc/\($0)/cmdline" }
        try await waitUntil("all processes have ended") {
            arguments.allSatisfy { FileManager.default.contents(atPath: $0)?.isEmpty != false }
        }
    }

    @Test func invalidDeviceFileIsReported() async throws {
        try await Self.withClownTown { folder in
            let file = folder.appending(path: "devices/mac.yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data(text.replacingOccurrences(of: "TRUEPREDICATE", with: "SELF MATCHES 'x'").utf8).write(to: file)
            let demo = try await Program.run("waypost", ["demo", "--directory", folder.path])
            #expect(demo.status == 2)
            #expect(demo.errors.contains("scene window-1"))
            #expect(demo.errors.contains("MATCHES"))
        }
    }
}
