import Foundation
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

    @Test func includedFileIsCheckedWithItsScenario() throws {
        let path = Repository.root.appending(path: "docs/examples/town/fleet.yaml").path
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(!file.isUnusable)
        #expect(file.findings.map(\.severity) == [.note])
    }

    @Test func problemsHaveTheirPlaces() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("name: iPad\napps: []\nnmae: x\n".utf8, to: "ipad.yaml")
        let file = try CheckedFile(path, kind: nil, variables: [])
        #expect(file.text == "\(path):3:1: error: unknown key 'nmae'; did you mean 'name'?")
    }
}
