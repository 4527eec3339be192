import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

/// The kinds of files, told by their names and content.
@Suite struct CheckedFileTests {
    @Test(
        arguments: [
            ("ipad.yaml", "name: iPad\napps: []\n", .device), ("any.yaml", "bundleIdentifier: a.b\nscenes: []\n", .app),
            ("a.yaml", "name: A\nsteps: []\ndevices: {}\n", .scenario),
            ("waypost.yaml", "devices: d\ngateway: {}\n", .stack),
            // A load test has a number of devices, and a stack has a list of them.
            ("waypost.yaml", "devices: [ipad.yaml]\n", .stack), ("a.yaml", "devices: 5\n", .load),
            // Misspelled keys count, too.
            ("a.yaml", "name: A\nstepz: []\n", .scenario), ("a.yaml", "device: [ipad.yaml]\n", .stack),
            ("load.yaml", "rate: 5\nduration: 1s\n", .load), ("fleet.yaml", "groups: []\nstorms: []\n", .fleet),
            ("p.json", #"{"aps":{"alert":"a"}}"#, .payload), ("p.apns", "{}", .payload),
            ("file.json", #"{"applinks":{}}"#, .association), ("apple-app-site-association", "{}", .association),
            ("x.yaml", "# yaml-language-server: $schema=../schemas/device.json\nnmae: iPad\n", .device),
        ] as [(String, String, CheckedKind)]
    )
    func fileTellsItsKind(_ name: String, _ text: String, _ kind: CheckedKind) throws {
        let folder = try ScratchFolder()
        let path = try folder.write(text.utf8, to: name)
        #expect(try CheckedKind.kind(of: path) == kind)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"Hi","badge":3},"id":7}"#, "✓ standard input: a payload, no problems"),
        (#"{"webcredentials":{"apps":[]}}"#, #"standard input:1:1: note: there is no "applinks""#),
        ("name: iPad\napps: []\nnmae: x\n", "standard input:3:1: error: unknown key 'nmae'; did you mean 'name'?"),
        ("colour: red\n", "standard input:1:1: error: nothing tells what this file is"),
    ])
    func standardInputTellsItsKind(_ text: String, _ report: String) throws {
        let file = try FileText.withStandardInput(Array(text.utf8)) {
            try CheckedFile(FileText.standardInputName, kind: nil, variables: [])
        }
        #expect(file.text.hasPrefix(report), "\(file.text)")
    }

    @Test(arguments: ["", "[]", "colour: red\n"]) func fileOfNoKindIsReported(_ text: String) throws {
        let folder = try ScratchFolder()
        let file = try CheckedFile(try folder.write(text.utf8, to: "a.yaml"), kind: nil, variables: [])
        #expect(file.isUnusable)
        #expect(file.findings.first?.message.contains("nothing tells what this file is") == true)
    }

    @Test(arguments: ["crusty.yaml", "load/steady.yaml", "town/devices/ipad.yaml", "town/apps/ipad/clowntown.yaml"])
    func exampleIsOfAKindAndHasNoProblems(_ name: String) throws {
        let path = Repository.root.appending(path: "docs/examples/\(name)").path
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(file.findings.isEmpty, "\(file.text)")
    }

    @Test func appFileMayDeclareTokens() throws {
        let text = "bundleIdentifier: com.example.tv\nscenes: []\ntokens: [app, voip]\nbackgroundModes: [voip]\n"
        let folder = try ScratchFolder()
        let file = try CheckedFile(try folder.write(text.utf8, to: "tv.yaml"), kind: nil, variables: [])
        #expect(file.findings.isEmpty && !file.isUnusable, "\(file.text)")
    }

    @Test(
        arguments: [
            ("setIn: later", ["7:3: warning: a response that launches the app may be lost"]),
            ("setIn: didFinishLaunching", []),
            // It is unknown when the app sets the delegate.
            ("methods: [didReceive]", []),
        ] as [(String, [String])]
    )
    func mistakeOfAnAppIsFoundWithoutAnEvent(_ setting: String, _ expected: [String]) throws {
        let example = Repository.root.appending(path: "docs/examples/callbacks/plug-in.yaml")
        let folder = try ScratchFolder()
        let text = try String(contentsOf: example, encoding: .utf8)
            .replacing("methods: [didReceive], setIn: later", with: setting)
        let path = try folder.write(text.utf8, to: "plug-in.yaml")
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(!file.isUnusable && file.findings.count == expected.count, "\(file.text)")
        for start in expected { #expect(file.text.hasPrefix("\(path):\(start)"), "\(file.text)") }
    }

    @Test(
        arguments: [
            ("kind: window", []), (#"kind: windowGroup, matching: ["*"]"#, []),
            (
                #"kind: windowGroup, matching: ["/orders/"]"#,
                ["4:3: warning: each declaration has handlesExternalEvents(matching:)"]
            ),
        ] as [(String, [String])]
    )
    func mistakeInDeclarationsIsFound(_ declaration: String, _ expected: [String]) throws {
        let folder = try ScratchFolder()
        let text = """
            bundleIdentifier: com.example.shop
            scenes: []
            declarations:
              - { name: main, \(declaration) }
            """
        let path = try folder.write(text.utf8, to: "shop.yaml")
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(!file.isUnusable && file.findings.count == expected.count, "\(file.text)")
        for start in expected { #expect(file.text.hasPrefix("\(path):\(start)"), "\(file.text)") }
    }

    @Test(arguments: [
        (#"{"aps":{"event":"update","timestamp":1}}"#, "content-state"),
        (#"{"aps":{"event":"start","timestamp":1,"content-state":{}}}"#, "attributes-type"),
        (#"{"aps":{"event":"end"}}"#, "timestamp"),
    ])
    func payloadWithAnEventIsCheckedAsALiveActivity(_ text: String, _ missing: String) throws {
        let folder = try ScratchFolder()
        let file = try CheckedFile(try folder.write(text.utf8, to: "p.json"), kind: nil, variables: [])
        let note = try #require(file.findings.first)
        #expect(note.severity == .note && note.message.contains("as a Live Activity (push type liveactivity)"))
        #expect(file.findings.dropFirst().contains { $0.message.contains(missing) }, "\(file.text)")
        #expect(!file.text.contains("the user notices nothing"), "\(file.text)")
    }

    @Test(arguments: [CheckedKind.device, .app, .load, .stack, .fleet])
    func scenarioIsNamedWhateverKindIsGiven(_ kind: CheckedKind) throws {
        let folder = try ScratchFolder()
        let text = "name: A\ndevices:\n  iPad: {}\nsteps:\n  - advance: 1s\n"
        let path = try folder.write(text.utf8, to: "a.yaml")
        let file = try CheckedFile(path, kind: kind, variables: [])
        #expect(file.isUnusable)
        #expect(file.text == "\(path):1:1: error: this is a scenario, and not \(kind.name)")
    }

    @Test func includedFileIsCheckedWithItsScenario() throws {
        let path = Repository.root.appending(path: "docs/examples/town/fleet.yaml").path
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(!file.isUnusable)
        #expect(file.findings.map(\.severity) == [.note])
    }

    @Test(
        arguments: [
            ("TooManyRequest", "", ": warning: APNs has no reason 'TooManyRequest', so the status is 400; did you"),
            ("${reason}", "", ": warning: APNs has no reason 'TooManyRequest', so the status is 400; did you"),
            ("TooManyRequests", "", nil),
            // With a status, the reason is intended.
            ("NewReason", "\n      status: 418", nil),
        ] as [(String, String, String?)]
    )
    func unusualReasonOfAFaultIsAWarning(reason: String, status: String, warning: String?) throws {
        let folder = try ScratchFolder()
        let text = """
            name: A
            matrix: {reason: [TooManyRequest], language: [en, de]}
            devices:
              iPad: {}
            steps:
              - fault:
                  device: iPad
                  kind: respond
                  reason: \(reason)\(status)
            """
        let path = try folder.write(text.utf8, to: "a.yaml")
        let file = try CheckedFile(path, kind: .scenario, variables: [])
        #expect(!file.isUnusable && file.findings.count == (warning == nil ? 0 : 1), "\(file.text)")
        if let warning { #expect(file.text.hasPrefix("\(path):9:15\(warning)"), "\(file.text)") }
    }

    @Test func problemsHaveTheirPlaces() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("name: iPad\napps: []\nnmae: x\n".utf8, to: "ipad.yaml")
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(file.text == "\(path):3:1: error: unknown key 'nmae'; did you mean 'name'?")
    }

    @Test func problemOfANamedFileHasItsPlace() throws {
        let folder = try ScratchFolder()
        let device = try folder.write("name: iPad\nnmae: x\n".utf8, to: "ipad.yaml")
        let path = try folder.write("devices: [ipad.yaml]\n".utf8, to: "waypost.yaml")
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(file.text.contains("\(device):2:1: error: unknown key 'nmae'"), "\(file.text)")
    }

    @Test func conditionsAndDomainsOfADeviceAreReportedInOneRun() throws {
        let folder = try ScratchFolder()
        let text = """
            name: iPad
            apps:
              - bundleIdentifier: a.b
                applicationIdentifier: T.a.b
                associatedDomains: ["aplinks:a.example"]
                scenes:
                  - persistentIdentifier: s
                    activationConditions: {canActivateForTargetContentIdentifierPredicate: SELF LIK 'x'}
            """
        let file = try CheckedFile(try folder.write(text.utf8, to: "ipad.yaml"), kind: nil, variables: [])
        #expect(file.isUnusable && file.findings.map(\.line) == [5, 8], "\(file.text)")
        #expect(file.findings.map(\.severity) == [.warning, .error])
    }

    @Test func jsonLinesAreNotTakenForYAML() throws {
        let folder = try ScratchFolder()
        let file = try CheckedFile(try folder.write("{}\n{}\n".utf8, to: "n.jsonl"), kind: nil, variables: [])
        #expect(file.findings.first?.message.contains("JSON Lines are not checked here") == true)
    }

    @Test(
        arguments: [
            ("https://a.example", "the entry 'https://a.example' cannot be used: 'https' is not a service"),
            ("aplinks:a.example", "'aplinks' is not a service"), ("applinks:a.example?mode=develper", "is not a mode"),
            (
                "applinks:a.example",
                "no app that is signed for development has an entry for 'a.example' with ?mode=developer"
            ),
        ]
    )
    func domainThatOpensNothingIsReported(_ entry: String, _ message: String) throws {
        let (path, file) = try Self.checkDevice(entry, association: #"{"applinks":{"details":[]}}"#)
        #expect(file.findings.map(\.severity).contains(.warning))
        #expect(file.text.hasPrefix("\(path):") && file.text.contains(message), "\(file.text)")
    }

    @Test(arguments: [("not JSON", "file.json: line 1: "), (nil, "it does not exist")])
    func replacementThatNoDeviceCanUseIsReported(_ association: String?, _ message: String) throws {
        let (path, file) = try Self.checkDevice("applinks:a.example?mode=developer", association: association)
        #expect(file.text.hasPrefix("\(path):4:") && file.text.contains(message), "\(file.text)")
    }

    @Test func replacementWithWhichNoAgentStartsIsAnError() throws {
        let (_, file) = try Self.checkDevice(
            "applinks:a.example?mode=developer",
            association: nil,
            replacement: "http://example.com"
        )
        #expect(file.isUnusable && file.text.contains(":4:"), "\(file.text)")
    }

    @Test func domainWithCapitalsIsTheSameDomain() throws {
        let (_, file) = try Self.checkDevice(
            "applinks:a.example?mode=developer",
            association: "{}",
            domain: "A.example"
        )
        #expect(file.findings.isEmpty, "\(file.text)")
    }

    @Test func stackHasTheWarningsOfItsDevices() throws {
        let folder = try ScratchFolder()
        let text = "name: iPad\napps: []\nassociatedDomainsDevelopment: {a.example: 'http://127.0.0.1:1'}\n"
        let device = try folder.write(text.utf8, to: "ipad.yaml")
        let stack = try folder.write("devices: [ipad.yaml]\n".utf8, to: "waypost.yaml")
        let file = try CheckedFile(stack, kind: nil, variables: [])
        #expect(!file.isUnusable && file.text.hasPrefix("\(device):3:"), "\(file.text)")
    }

    @Test func stackHasTheWarningsOfItsApps() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("name: iPad\napps: []\n".utf8, to: "ipad.yaml")
        let text = """
            bundleIdentifier: a.b
            scenes: []
            applicationIdentifier: T.a.b
            associatedDomains: ["aplinks:a.example"]
            """
        let app = try folder.write(text.utf8, to: "app.yaml")
        let apps = "[{file: app.yaml, device: iPad}, {file: app.yaml, device: iPad}]"
        let stack = try folder.write("devices: [ipad.yaml]\napps: \(apps)\n".utf8, to: "waypost.yaml")
        let file = try CheckedFile(stack, kind: nil, variables: [])
        #expect(file.findings.count == 1 && file.text.hasPrefix("\(app):4:"), "\(file.text)")
    }

    @Test func domainWithAUsableReplacementHasNoProblem() throws {
        let association = #"{"applinks":{"details":[{"appIDs":["T.a.b"],"components":[{"/":"*"}]}]}}"#
        let (_, file) = try Self.checkDevice("applinks:*.a.example?mode=developer", association: association)
        #expect(file.findings.isEmpty, "\(file.text)")
    }

    /// Checks a device whose app has an entry, and whose domain has a replacement.
    private static func checkDevice(
        _ entry: String,
        association: String?,
        domain: String = "a.example",
        replacement: String = "file.json"
    ) throws -> (path: String, file: CheckedFile) {
        let folder = try ScratchFolder()
        if let association { _ = try folder.write(association.utf8, to: "file.json") }
        let text = """
            name: iPad
            apps: [{bundleIdentifier: a.b, scenes: [], applicationIdentifier: T.a.b, associatedDomains: ["\(entry)"]}]
            associatedDomainsDevelopment:
              \(domain): \(replacement)
            """
        let path = try folder.write(text.utf8, to: "ipad.yaml")
        return (path, try CheckedFile(path, kind: nil, variables: []))
    }

    @Test(
        arguments: [
            (
                "name: iPad\napps: []\nnmae: x\n", CheckedKind.stack,
                "this is a device file, and not a stack file; list it"
            ),
            ("name: iPad\napps: []\nnmae: x\n", .scenario, "this is a device file, and not a scenario"),
            ("name: iPad\napps: []\nnmae: x\n", .device, "unknown key 'nmae'"),
            ("name: A\nnmae: x\n", .scenario, "unknown key 'nmae'"),
        ]
    )
    func fileOfAnotherKindIsNotReadKeyByKey(_ text: String, as kind: CheckedKind, says message: String) throws {
        let folder = try ScratchFolder()
        let path = try folder.write(text.utf8, to: "ipad.yaml")
        let place = SourcePlace(file: path, line: 3, column: 1)
        let error = FileFindings([FileFinding(place: place, message: "unknown key 'nmae'")])
        #expect("\(kind.explaining(error, of: path))".contains(message))
    }
}
