import DeviceModel
import Fleets
import Foundation
import Testing
import WaypostSchema

/// `waypost fleet`.
@Suite(.timeLimit(.minutes(5))) struct FleetCommandTests {
    private static let behavior = """
        groups:
          - { name: prompt, share: 60% }
          - { name: late, share: 20%, acknowledge: { after: 20ms, up-to: 100ms } }
          - { name: crashing, share: 10%, crash: { share: 30%, for: 100ms }, opens: { share: 50% } }
          - { name: slow, link: { delay: 20ms, loss: 5%, bandwidth: 50KB, half-open: { every: 1s, for: 200ms } } }
        storms: [{ at: 1s, share: 50%, spread: 100ms }]
        """

    /// The report of a fleet that gets two notifications for each device, and the folder with its files.
    private static func run(_ arguments: [String]) async throws -> (report: FleetReport, folder: URL) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "behavior.yaml").path
        try Data(behavior.utf8).write(to: URL(filePath: file))
        let (ready, tokens) = (folder.appending(path: "gateway.json").path, folder.appending(path: "tokens.txt").path)
        let gateway = [
            "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0", "--store",
            "memory",
            "--ready-file", ready,
        ]
        let result = try await Program.whileRunning("waypost-gateway", gateway) { running in
            _ = try await running.value(after: "store")
            return try await Program.whileRunning(
                "waypost",
                [
                    "fleet", "run", "--ready-file", ready, "--behavior", file, "--tokens", tokens, "--journals",
                    folder.appending(path: "journals").path, "--format", "json",
                ] + arguments
            ) { fleet in
                // The tokens are written before the first line of progress.
                _ = try await fleet.nextLine()
                try await send(to: try String(contentsOfFile: tokens, encoding: .utf8), ready)
                // One second for the storm, and one for what is late.
                for _ in 0..<3 { _ = try await fleet.nextLine() }
            }
        }.value
        #expect(result.status == 0)
        let report = result.lines.filter { !$0.hasPrefix("{\"") }.joined(separator: "\n")
        return (try JSONDecoder().decode(FleetReport.self, from: Data(report.utf8)), folder)
    }

    private static func send(to tokens: String, _ ready: String) async throws {
        let items = tokens.split(separator: "\n").flatMap { token in
            (1...2).map { number in
                """
                {"token":"\(token)","topic":"com.example.clowntown","payload":{"aps":{"alert":"Honk \(number)",\
                "target-content-id":"https://clowntown.example/clowns/crusty"}}}
                """
            }
        }
        let sent = try await Program.run(
            "waypost",
            ["send", "--ready-file", ready, "-"],
            input: items.joined(separator: "\n")
        )
        #expect(sent.status == 0, "\(sent.errors)")
    }

    @Test func everyDeviceOfAMixedFleetReceivesEverything() async throws {
        let (report, folder) = try await Self.run(["--devices", "100", "--sample", "10"])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect((report.devices, report.received, report.lost) == (100, 200, 0))
        #expect(report.acknowledged == 200)
        // On a slow machine, some devices of the storm were not connected when it began.
        #expect(report.connections >= 100 + report.crashes + 10)
        #expect(report.crashes > 0 && report.opened > 0)
        #expect(report.connecting.count == report.connections)
        #expect(report.unreadable == 0)
        let journals = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "journals").path)
        #expect(journals.count == 10)
        // A journal is one of `waypost replay`, which explains the device.
        let journal = folder.appending(path: "journals/\(try #require(journals.first))").path
        let replayed = try await Program.run("waypost", ["replay", journal, "--effects", "--format", "table"])
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(replayed.output.contains("notificationDelivered"), "\(replayed.output)")
    }

    @Test func devicesMayShareACredential() async throws {
        let (report, folder) = try await Self.run(["--devices", "25", "--devices-per-credential", "10"])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect((report.devices, report.received, report.lost, report.acknowledged) == (25, 50, 0, 50))
    }

    @Test func checkNamesEveryProblem() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString).yaml").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("groups: [{ name: a, share: 5, crash: {} }]\nstorm: []\n".utf8).write(to: URL(filePath: file))
        let result = try await Program.run("waypost", ["check", file, "--format", "table"])
        #expect(result.status == 2)
        #expect(
            result.output == """
                \(file):1:28: error: 'share' is '5'; use a share from 0% to 100%, such as 2.5%
                \(file):1:38: error: 'crash' needs 'share'
                \(file):2:1: error: unknown key 'storm'; did you mean 'storms'?

                """
        )
        #expect(try await Program.run("waypost", ["schema", "fleet"]).output.contains("\"groups\""))
    }
}
