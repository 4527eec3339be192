import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The links that an app shows, as its file says: they count for the order of its links.
@Suite(.timeLimit(.minutes(5)), .serialized) struct ShownLinksTests {
    private static let views = """

          views:
            - { url: "https://tv.example/shows/lasso", displayContext: detail }
            - { url: "https://tv.example/shows/pie-in-the-sky", displayContext: detail, finishes: true }
        """

    /// The events after which the app has both links.
    private static let events = [
        #"{"type":"contactChanged","contact":{"id":"enrique","handles":["+14085550101"]}}"#,
        message("m1", "lasso"), #"{"type":"linkPinned","message":"m1"}"#,
        message("m2", "pie-in-the-sky"), #"{"type":"linkPinned","message":"m2"}"#,
    ]

    private static func message(_ id: String, _ show: String) -> String {
        #"{"type":"messageReceived","message":{"id":"\#(id)","conversation":"c1","sender":"+14085550101","#
            + #""text":"https://tv.example/shows/\#(show)"}}"#
    }

    @Test(.proves("B52", "B53", "B87", "B90", "B91")) func appFileSaysWhatTheAppShows() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shown-links-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try await Program.run("waypost", ["demo", "--write-files", folder.path])
        let file = folder.appending(path: "apps/ipad/tv.yaml")
        let app = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines) + Self.views
        try Data(app.utf8).write(to: file)
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let options = ["--device", folder.appending(path: "devices/ipad.yaml").path, "--gateway", service]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let control = try await agent.value(after: "control")
                try await Self.show(with: file.path, on: control)
            }
        }
    }

    private static func show(with file: String, on control: String) async throws {
        let device = "\(control)/v1/devices/iPad"
        for event in events {
            let sent = try await Program.run("curl", ["--silent", "--fail", "--data", event, "\(device)/events"])
            #expect(!sent.output.contains("eventIgnored"), "\(sent.output)")
        }
        let arguments = ["app", "run", "--agent", control, "--app", file, "--format", "jsonl"]
        _ = try await Program.whileRunning("waypost", arguments) { app in
            var shown: [String] = []
            while shown.count < 2, let line = try await app.nextLine() {
                if line.contains(#""type":"shown""#) { shown.append(line) }
            }
            #expect(shown.allSatisfy { $0.contains(#""displayContext":"detail""#) })
            for show in ["lasso", "pie-in-the-sky"] { #expect(shown.contains { $0.contains(show) }) }
        }
        let answer = try await Program.run("curl", ["--silent", "--fail", "\(device)/apps/com.example.tv/shelf"])
        let shelf = try JSONDecoder().decode(ShelfReport.self, from: Data(answer.output.utf8))
        var points: [String: [Int]] = [:]
        for item in shelf.items {
            let terms = item.rank.terms.filter { [.started, .consumed].contains($0.signal) }
            points[item.highlight.url] = terms.map(\.points)
        }
        #expect(
            points == [
                "https://tv.example/shows/lasso": [500], "https://tv.example/shows/pie-in-the-sky": [-4_000],
            ]
        )
    }
}
