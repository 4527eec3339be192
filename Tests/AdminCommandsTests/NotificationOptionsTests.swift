import ArgumentParser
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

@Suite struct NotificationOptionsTests {
    private func item(_ arguments: [String]) async throws -> BatchItem {
        let options = try await NotificationOptions.parseAsync(arguments)
        return try JSONDecoder().decode(BatchItem.self, from: Data(try options.draft().line()))
    }

    @Test func optionsDescribeABatchItem() async throws {
        let item = try await item([
            "--token", "00ff", "--topic", "com.example.clowntown", "--title", "Honk", "--body", "Crusty is near",
            "--target-content-id", "https://clowntown.example/clowns/crusty", "--priority", "5", "--expiration", "0",
            "--collapse-id", "crusty", "--push-type", "alert", "--id", "123e4567-e89b-42d3-a456-426614174000",
        ])
        #expect(item.token == "00ff")
        #expect(item.topic == "com.example.clowntown")
        #expect(item.priority == 5)
        #expect(item.expiration == 0)
        #expect(item.collapseID == "crusty")
        #expect(item.pushType == .alert)
        #expect(item.id == "123e4567-e89b-42d3-a456-426614174000")
        #expect(
            item.payload["aps"]?["alert"] == .object(["title": .string("Honk"), "body": .string("Crusty is near")])
        )
        #expect(item.payload["aps"]?["target-content-id"]?.string == "https://clowntown.example/clowns/crusty")
    }

    @Test func notificationWithoutContentHasAnEmptyAps() async throws {
        #expect(try await item(["--token", "00ff", "--topic", "x"]).payload == .object(["aps": .object([:])]))
    }

    @Test func payloadFromAFileIsSentAsWritten() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "payload-\(UUID().uuidString).json")
        try Data("{\"z\":1.0,\n\"a\":1e3,\"z\":0.1000000000000000055}".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = ["--token", #"{"payload":{}}"#, "--topic", "x", "--payload", file.path]
        let item = String(decoding: try await NotificationOptions.parseAsync(arguments).draft().line(), as: UTF8.self)
        #expect(item.contains(#""payload":{"z":1.0, "a":1e3,"z":0.1000000000000000055},"token""#))
    }

    @Test(arguments: [["--token", "00ff"], ["--topic", "x"], ["--title", "x"], ["--priority", "5"]])
    func notificationNeedsATokenAndATopic(_ arguments: [String]) async throws {
        try await expectAsyncRefusal(
            of: SendCommand.self,
            arguments,
            "a notification needs --to or --token, and --topic"
        )
    }

    @Test func payloadFileForTheSimulatorHasATopic() async throws {
        let folder = try ScratchFolder()
        let text = #"{"Simulator Target Bundle":"com.example.clowntown","aps":{"alert":"Honk"},"a":1}"#
        let path = try folder.write(text.utf8, to: "honk.apns")
        func item(_ arguments: [String]) async throws -> BatchItem {
            let bytes = try await NotificationOptions.parseAsync(arguments).draft(fromPayload: path).line()
            return try JSONDecoder().decode(BatchItem.self, from: Data(bytes))
        }
        let sent = try await item(["--token", "00ff", "--priority", "5"])
        #expect(sent.topic == "com.example.clowntown")
        #expect(sent.priority == 5)
        #expect(sent.payload == .object(["aps": .object(["alert": .string("Honk")]), "a": .integer(1)]))
        #expect(try await item(["--token", "00ff", "--topic", "other"]).topic == "other")
        await #expect(throws: CommandFailure.self) { try await item([]) }
        await #expect(throws: CommandFailure.self) { try await item(["--token", "00ff", "--title", "x"]) }
    }

    @Test func payloadFromAFileExcludesPayloadOptions() async throws {
        let arguments = ["--token", "00ff", "--topic", "x", "--payload", "file.json", "--title", "x"]
        await #expect(throws: (any Error).self) { try await NotificationOptions.parseAsync(arguments) }
    }
}
