import Foundation
import Testing
import WaypostSchema

/// `waypost faults`, with a running gateway.
@Suite(.timeLimit(.minutes(5)), .serialized) struct FaultsCommandTests {
    @Test func faultAppliesToTheRequestedNumberOfSends() async throws {
        let gateway = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let provider = try await gateway.value(after: "provider")
            let goAway = try await Self.faults(service, "connections", "goAway", "--frames", "2", "--keep-open")
            #expect(goAway.status == 0, "\(goAway.errors)")
            let receipt = try JSONDecoder().decode(ConnectionFaultReceipt.self, from: Data(goAway.output.utf8))
            #expect(receipt.connections == 0)
            let added = try await Self.faults(
                service,
                "add",
                "c0ffee",
                "respond",
                "--reason",
                "TooManyRequests",
                "--times",
                "1"
            )
            #expect(added.status == 0, "\(added.errors)")
            let scripted = try JSONDecoder().decode(ScriptedFault.self, from: Data(added.output.utf8))
            #expect(scripted.left == 1)
            #expect(try await Self.faults(service, "list").output == added.output)
            let arguments = ["--silent", "--http2-prior-knowledge", "--data", "{}", "\(provider)/3/device/c0ffee"]
            let answers = [
                try await Program.run("curl", arguments).output, try await Program.run("curl", arguments).output,
            ]
            #expect(answers == [#"{"reason":"TooManyRequests"}"#, #"{"reason":"MissingTopic"}"#])
            let gone = try await Self.faults(service, "remove", scripted.id.rawValue)
            #expect(gone.status == 1)
            #expect(gone.errors.contains("no fault \(scripted.id) in this namespace"))
            #expect(try await Self.faults(service, "remove", "--all").status == 0)
            let bare = try await Self.faults(service, "add", "c0ffee", "respond", "--status", "503", "--times", "1")
            #expect(bare.status == 0, "\(bare.errors)")
            #expect(try await Program.run("curl", arguments).output.isEmpty)
            let forAll = try await Self.faults(service, "add", "--all-devices", "hang", "--pattern=--x", "--times", "2")
            #expect(forAll.status == 0, "\(forAll.errors)")
            let expected = SendFault(kind: .hang, times: 2, pattern: "--x")
            #expect(try JSONDecoder().decode(ScriptedFault.self, from: Data(forAll.output.utf8)).fault == expected)
            let misspelled = try await Self.faults(service, "connections", "respond", "--reason", "Unregisterd")
            #expect(misspelled.status == 0, "\(misspelled.errors)")
            #expect(misspelled.errors.contains("warning: APNs has no reason 'Unregisterd'"), "\(misspelled.errors)")
            let misplaced = try await Self.faults(service, "connections", "silence", "--streams", "5")
            #expect(misplaced.status == 2)
            #expect(misplaced.errors.contains("it applies to 'limitStreams'"))
            let none = try await Self.faults(service, "add", "c0ffee", "delay")
            #expect(none.status == 2)
            #expect(none.errors.contains("milliseconds: 'delay' requires"))
        }
        #expect(gateway.status == 0, "\(gateway.lines)")
    }

    private static func faults(_ service: String, _ arguments: String...) async throws -> Program.Result {
        let format = arguments.first == "remove" ? [] : ["--format", "jsonl"]
        return try await Program.run("waypost", ["faults"] + arguments + format + ["--gateway", service])
    }
}
