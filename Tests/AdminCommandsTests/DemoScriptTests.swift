import Foundation
import Testing
import WaypostSchema

@testable import AdminCommands

@Suite struct DemoScriptTests {
    /// Calls `body` with a folder that contains the Clown Town demo.
    private func withClownTown(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "clown-town-\(UUID().uuidString)")
        try ClownTown.write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func clownTownIsAValidScript() throws {
        try withClownTown { folder in
            let script = try DemoScript(from: folder)
            #expect(script.devices.map(\.name) == ["iPad", "Enrique's iPhone", "Mac"])
            #expect(script.steps.compactMap(\.action).count == 4)
            #expect(script.batch.count == 11)
            #expect(script.openableItems.count == 5)
            #expect(script.apps.map(\.app) == ["com.example.clowntown", "com.example.tv", "com.example.scripts"])
            let actions: [DeviceEvent.Kind] = [
                .sharing(.automaticSharingOfferAnswered), .sharing(.messageReceived),
            ]
            #expect(script.actions.map(\.event.kind) == actions)
            #expect(script.shelves.map(\.links.count) == [2])
            #expect(
                script.expectations.map(\.scene) == ["crusty-detail", "overview", "overview", "window-1", "window-1"]
            )
        }
    }

    @Test(arguments: [
        ("expectations.yaml", "- notification: x", "expectations.yaml"),
        ("batch.jsonl", "{", "batch.jsonl, line 1"),
        ("batch.jsonl", #"{"token":"iPhone","topic":"x","id":"y","payload":{}}"#, "batch.jsonl"),
        ("shelves.yaml", "- device: iPad", "shelves.yaml"),
        ("actions.jsonl", #"{"device":"iPad","type":"clownOnBreak"}"#, "actions.jsonl, line 1"),
        ("apps/ipad/tv.yaml", "bundleIdentifier: a\nscenes: []\nproces: {}", "proces"),
        ("devices/ipad.yaml", "name: iPad\napps: 3", "'apps' is '3'"),
        ("devices/ipad.yaml", "name: Mac\napps: []", "the same name"),
    ])
    func invalidFileIsReported(_ file: String, _ contents: String, _ message: String) throws {
        try withClownTown { folder in
            try Data(contents.utf8).write(to: folder.appending(path: file))
            let error = try #require(throws: (any Error).self) { try DemoScript(from: folder) }
            let failure = try #require(CommandFailure(error))
            #expect(failure.status == .unusableInput)
            #expect(failure.message?.contains(message) == true, "\(failure.message ?? "")")
        }
    }
}
