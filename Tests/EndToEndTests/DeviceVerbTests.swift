import Foundation
import Subprocess
import Testing
import WaypostSchema
import WaypostTestSupport

/// The commands that change a device, and the answers, which say what changed.
@Suite(.timeLimit(.minutes(5))) struct DeviceVerbTests {
    /// A command line, its exit status, and what its output or its errors contain.
    private typealias Line = (words: String, status: Int32, text: String)

    private static let device = """
        name: Phone
        apps:
          - bundleIdentifier: com.example.bakery
            applicationIdentifier: ABCDE12345.com.example.bakery
            displayName: Bakery
            scenes: [{ persistentIdentifier: orders }]
            sharedWithYou: true
            associatedDomains: ["applinks:bakery.example?mode=developer"]
            shortcutItems: [{ type: order, localizedTitle: Order again }]
            contextMenu: { items: [{ id: order, title: Order }], menuTitleForHideAction: Remove Bread }
        associatedDomainsDevelopment: { bakery.example: bakery.json }
        """

    private static let association = """
        {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.bakery"],"components":[{"/":"*"}]}]}}
        """

    private static let settings: [Line] = [
        ("focus Work --allow-person enrique", 0, "the Focus Work is on"),
        ("focus off --allow-person enrique", 64, "'off' takes no other options"),
        ("focus Work", 0, "the Focus Work is on"), ("focus off", 0, "no Focus is on"),
        ("focus Work --allow com.example.bakeri", 1, "did you mean 'com.example.bakery'?"),
        ("airplane on", 0, "Airplane Mode is on"), ("list --format table", 0, "Airplane Mode"),
        ("open last", 1, "'waypost device airplane off' ends that"),
        ("explain last", 1, "'waypost device airplane off' ends that"),
        ("explain-notification last", 1, "'waypost device airplane off' ends that"),
        ("action last REPLY", 1, "'waypost device airplane off' ends that"),
        ("draw last", 1, "'waypost device airplane off' ends that"),
        ("airplane off", 0, "Airplane Mode is off"), ("open last", 1, "there are no notifications on the device"),
        ("setting low-power on", 0, "Low Power Mode is on"), ("setting language ar", 0, "the language is ar"),
        ("setting text-size large", 0, "the text size is large"),
        ("setting mute-switch on", 0, "the mute switch is on"),
        ("setting layout twoWindows", 0, "two scenes are side by side"),
        ("setting layout splitView", 64, "use one of fullScreen, twoWindows, manyWindows"),
        ("setting layout fullScreen", 0, "one scene fills the screen"),
        ("setting prefers-only-among-capable on", 0, "a scene may prefer only what it can display"),
        ("setting prefers-only-among-capable off", 0, "a scene may prefer anything"),
        ("setting prefers-only-among-capable never", 64, "'never' is neither on nor off"),
        ("setting badges off --app com.example.bakery", 0, "com.example.bakery has new settings for notifications"),
        (
            "setting background-refresh off --app com.example.bakery", 0,
            "Background App Refresh of com.example.bakery is off"
        ),
        ("apps --format table", 0, "badges off, background-refresh off"),
        ("setting badges off --app com.example.bakeri", 1, "did you mean 'com.example.bakery'?"),
        ("setting background-refresh off --app com.example.bakeri", 1, "did you mean 'com.example.bakery'?"),
        (#"event {"type":"lockSet","isOn":false}"#, 0, "the device is unlocked"),
        (#"event {"type":"focusSet","fokus":{"name":"Work"}}"#, 2, "unknown key 'fokus'; did you mean 'focus'?"),
        (#"event {"type":"focusset"}"#, 2, "did you mean 'focusSet'?"),
    ]

    /// Things that a locked device does not open; every command that asks for one has the same status.
    private static let lock: [Line] = [
        ("lock", 0, "the device is locked"), ("open com.example.bakery", 1, "must be unlocked first"),
        ("open com.example.bakery --quick-action order", 1, "must be unlocked first"),
        ("open https://bakery.example/bread", 1, "must be unlocked first"),
        (#"event {"type":"appOpened","app":"com.example.bakery"}"#, 1, "must be unlocked first"),
        (#"event {"type":"sceneCreated","app":"com.example.bakery"}"#, 1, "must be unlocked first"),
        (
            #"event {"type":"sceneBroughtForward","app":"com.example.bakery","scene":"orders"}"#, 1,
            "must be unlocked first"
        ),
        ("lock off", 0, "the device is unlocked"),
    ]

    private static let links: [Line] = [
        ("scenes --app com.example.bakeri", 1, "did you mean 'com.example.bakery'?"),
        ("consent off --app com.example.bakeri", 1, "did you mean 'com.example.bakery'?"),
        ("consent off --conversation zz", 1, "the device has no conversation 'zz'; it has none"),
        (#"event {"type":"notificationOpened","notification":"6f96"}"#, 1, "nothingToOpen"),
        ("open bakery.example/bread", 1, "did you mean 'https://bakery.example/bread'?"),
        ("explain bakery.example/bread", 1, "did you mean 'https://bakery.example/bread'?"),
        ("save-contact Ann bakery", 64, "'bakery' is neither a phone number nor an email address"),
        ("save-contact Ann +14085550111", 0, "Ann is in Contacts"),
        ("receive-message --from Anna Hello", 2, "did you mean 'Ann'?"),
        (
            "receive-message --from Ann --id m1 https://bakery.example/bread", 0,
            "m1 arrived; https://bakery.example/bread is on no shelf: permission for com.example.bakery "
                + "('waypost device pin m1' gives it; 'waypost device consent on --app com.example.bakery --automatic' "
                + "gives it to later links)"
        ),
        ("attribution https://bakery.example/bread", 1, "no app has a highlight for the link"),
        ("menu https://bakery.example/bread", 2, "no app has a highlight for the link; name one with --app"),
        ("menu https://bakery.example/bread --app com.example.bakery", 0, "has no highlight for the link: permission"),
        (
            "menu https://bakery.example/bread --app com.example.bakery --choose order", 1,
            "has no highlight for the link"
        ),
        ("offers --format table", 0, "the next pinned link for it can lead to the offer"),
        ("offers --answer accepted", 64, "--answer needs --app"),
        ("pin last", 0, "highlightsChanged"), ("offers --format table", 0, "is offered now, for the first time"),
        ("offers --app com.example.bakery --svg", 0, "<svg"),
        ("attribution https://bakery.example/bread --svg --show offer", 0, "Bakery"),
        ("attribution --svg --show presentation", 0, "Bakery"),
        ("pin m1 --unpin", 0, "is no longer offered"), ("offers --format table", 0, "is not offered now"),
        ("offers --app com.example.bakery --answer accepted", 1, "noOpenOffer"),
        ("offers --app com.example.bakery --svg", 1, "automatic sharing with com.example.bakery is not offered now"),
        ("pin nothing", 1, "there is no message nothing"),
        ("consent on --automatic", 64, "--automatic needs --app"),
        ("consent on --app com.example.bakery --automatic", 0, "automatic sharing with com.example.bakery is on"),
        ("consent", 0, "alreadyOn"), ("consent --format table", 0, "on"),
        ("receive-message --from Ann --id m2 https://bakery.example/bread", 0, "highlightsChanged"),
        ("attribution https://bakery.example/bread", 0, "Shared by"),
        ("attribution https://bakery.example/bread --svg", 0, "<svg"),
        ("attribution https://bakery.example/bread --svg --backdrop colorful", 0, "feGaussianBlur"),
        ("attribution https://bakery.example/bread --svg --backdrop red", 64, "use one of none, oneColor, colorful"),
        ("attribution https://bakery.example/bread --svg --show menu --locale ja", 0, "返信"),
        ("attribution https://bakery.example/bread --svg --show disambiguation", 1, "one conversation only"),
        ("attribution --svg --show presentation", 1, "nothing is shown over an app"),
        ("attribution --svg --view v", 1, "there is no attribution view 'v'"),
        ("shelf com.example.bakery --svg --locale ko", 0, "나와 공유된 항목"),
        ("attribution https://bakery.example/bread --svg --show offer", 1, "is not offered: it is on"),
        ("menu https://bakery.example/bread --format table", 0, "Order (order)\n  ---\n  Reply (reply)"),
        ("menu https://bakery.example/bread --choose save", 1, "it has: order, reply, remove"),
        ("menu https://bakery.example/bread --choose Order", 0, #""item":"order""#),
        ("menu https://bakery.example/bread --choose reply", 0, "conversationPresented"),
        ("attribution --svg --show presentation --locale ja", 0, "返信"),
        ("menu https://bakery.example/bread --choose remove", 0, "highlightsChanged"),
        (#"event {"type":"linkRestored","url":"https://bakery.example/bread"}"#, 0, "highlightsChanged"),
        ("shelf bakery", 1, "its apps are com.example.bakery"),
        ("open com.example.bakery --quick-action order", 0, "orders"),
        ("open https://bakery.example/bread", 0, "com.example.bakery"),
        ("open https://bakery.example/bread --format table", 0, "com.example.bakery opened its scene orders"),
        ("open Bakeri", 1, "Bakeri"), ("home", 0, ""),
        (#"event {"type":"appInstalled","app":{"bundleIdentifier":"com.example.plain","scenes":[]}}"#, 0, ""),
        ("offers --app com.example.plain --format table", 0, "com.example.plain does not take part in"),
        (#"event {"type":"appRemoved","app":"com.example.plain"}"#, 0, ""),
    ]

    /// The lines that begin with another command than `device`, about the names of devices.
    private static let names: [Line] = [
        ("send --to Phone --topic com.example.bakery --title Bread --badge 3 --wait 60s", 0, "1 acknowledged"),
        ("device open Bread", 0, "orders"), ("device explain last", 0, #""notification":{"#),
        ("device explain Bread", 0, #""scene":{"#),
        ("device airplane on", 0, "Airplane Mode is on"), ("device list --format table", 0, "Airplane Mode"),
        ("send --to Phone --topic com.example.bakery --title Late --wait 1s", 1, "Phone is in Airplane Mode"),
        ("device airplane off", 0, "Airplane Mode is off"),
        ("tokens standing phon expired", 1, "Phone"), ("tokens standing Phone expired", 0, #""standing":"expired""#),
        ("send --to Phone --topic com.example.bakery --title Bread", 1, "ExpiredToken"),
        ("devices standing Phone active", 0, #""standing":"active""#),
        ("notifications list --device Phone", 0, "ExpiredToken"),
        ("faults add Phone respond --reason TooManyRequest", 0, "did you mean 'TooManyRequests'?"),
        ("faults add Phon respond --reason TooManyRequests", 1, "Phone"),
        ("send --token abc --topic com.example.bakery --title Bread", 1, "BadDeviceToken"),
        ("notifications show last", 0, "ExpiredToken"),
    ]

    @Test func everyVerbSaysWhatChanged() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "verbs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.device.utf8).write(to: folder.appending(path: "phone.yaml"))
        try Data(Self.association.utf8).write(to: folder.appending(path: "bakery.json"))
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let service = try await gateway.value(after: "service")
            let options = ["--device", folder.appending(path: "phone.yaml").path, "--gateway", service]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let agentOptions = ["--agent", try await agent.value(after: "control")]
                for line in Self.settings + Self.lock + Self.links {
                    try await Self.type(("device " + line.words, line.status, line.text), agentOptions)
                }
                for line in Self.names {
                    let isOfAgent = line.words.hasPrefix("device ")
                    let options = isOfAgent ? agentOptions : ["--gateway", service]
                    try await Self.type(line, options, environment: ["WAYPOST_AGENT": agentOptions[1]])
                    if line.words == "device airplane on" { try await Self.waitUntilNoDeviceIsConnected(service) }
                }
            }
        }
    }

    /// Waits until the gateway knows that the streams of all devices have ended.
    private static func waitUntilNoDeviceIsConnected(_ service: String) async throws {
        try await waitUntil("no device is connected") {
            let arguments = ["tokens", "list", "--connected", "--format", "jsonl", "--gateway", service]
            let result = try await Program.run("waypost", arguments)
            return result.status == 0 && result.output.isEmpty
        }
    }

    private static func type(
        _ line: Line,
        _ options: [String],
        environment: [Environment.Key: String?] = [:]
    ) async throws {
        let words = line.words.split(separator: " ").map(String.init)
        let result = try await Program.run("waypost", words + options, environment: environment)
        let text = result.output + result.errors
        #expect(result.status == line.status, "waypost \(line.words): \(text)")
        #expect(text.contains(line.text) || line.text.isEmpty, "waypost \(line.words): \(text)")
        #expect(!text.isEmpty && !text.contains("nothing follows"), "waypost \(line.words): \(text)")
    }
}
