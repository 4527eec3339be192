import Foundation
import Testing
import WaypostTestSupport

/// `waypost device attribution` and `waypost device shelf` on a running device, and on its journal.
@Suite(.timeLimit(.minutes(5))) struct DrawnDeviceTests {
    private static let device = """
        name: iPad
        apps:
          - bundleIdentifier: com.example.clowntown
            applicationIdentifier: \(LinkFiles.clownTown)
            associatedDomains: ["applinks:clowntown.example?mode=developer"]
            sharedWithYou: true
            scenes: []
        associatedDomainsDevelopment: { clowntown.example: ./apple-app-site-association }
        """

    private static let link = "https://clowntown.example/clowns/crusty"

    private static let events = [
        #"{"type":"contactChanged","contact":{"id":"enrique","givenName":"Enrique","handles":["+14085550101"]}}"#,
        #"{"type":"messageReceived","message":{"id":"m1","conversation":"c1","sender":"+14085550101","text":"\#(link)"}}"#,
        #"{"type":"messageReceived","message":{"id":"m2","conversation":"c2","sender":"+14085550101","text":"\#(link)"}}"#,
        #"{"type":"linkPinned","message":"m1"}"#, #"{"type":"linkPinned","message":"m2"}"#,
        #"{"type":"attributionRequested","app":"com.example.clowntown","view":"v1","url":"\#(link)","preferences":{}}"#,
        #"{"type":"attributionTapped","app":"com.example.clowntown","view":"v1"}"#,
    ]

    /// The arguments of pictures that a device and its journal have.
    private static let pictures = [
        "attribution \(link) --svg",
        "attribution \(link) --svg --backdrop colorful --style dark --locale ja --content-size-category XL --width 200",
        "attribution --view v1 --svg --backdrop oneColor --background-style color",
        "attribution \(link) --svg --show menu --supplemental-menu-item Download --menu-title-for-hide-action Hide",
        "attribution \(link) --svg --show disambiguation --locale ko",
        "attribution \(link) --svg --show offer --style dark", "attribution \(link) --svg --locale ar",
        "attribution --svg --show presentation --locale zh-Hans", "shelf com.example.clowntown --svg",
        "shelf com.example.clowntown --svg --limit 0 --locale ja --style dark --content-size-category M",
    ]

    @Test func runningDeviceAndItsJournalGiveTheSamePictures() async throws {
        let files = try LinkFiles()
        let device = try files.write(Self.device.utf8, to: "ipad.yaml")
        let data = files.folder.appending(path: "data").path
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let options = ["--device", device, "--data", data, "--gateway", try await gateway.value(after: "service")]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let control = try await agent.value(after: "control")
                let associations = "\(control)/v1/devices/iPad/associations?wait=1&timeout=20s"
                let waited = try await Program.run("curl", ["--silent", "--fail", "--max-time", "60", associations])
                #expect(waited.status == 0)
                for event in Self.events {
                    let arguments = ["--silent", "--fail", "--data", event, "\(control)/v1/devices/iPad/events"]
                    let posted = try await Program.run("curl", arguments)
                    #expect(posted.status == 0, "\(event)")
                }
                var drawn: Set<String> = []
                for words in Self.pictures {
                    let arguments = ["device"] + words.split(separator: " ").map(String.init)
                    let live = try await Program.run("waypost", arguments + ["--agent", control])
                    let replayed = try await Program.run("waypost", arguments + ["--journal", "\(data)/journal.jsonl"])
                    #expect(live.status == 0 && live.output.hasPrefix("<svg"), "\(words): \(live.errors)")
                    #expect(live.output == replayed.output, "\(words): \(replayed.errors)")
                    drawn.insert(live.output)
                }
                #expect(drawn.count == Self.pictures.count)
            }
        }
    }
}
