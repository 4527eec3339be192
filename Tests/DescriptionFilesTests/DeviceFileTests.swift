import DescriptionFiles
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct DeviceFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func read(_ text: String, from name: String) throws -> DeviceDescription {
        try DescriptionFile.read(DeviceDescription.self, from: try folder.write(text.utf8, to: name))
    }

    @Test func fileDescribesADevice() throws {
        #expect(try read(DeviceDescription.exampleYAML, from: "device.yaml") == .example)
    }

    @Test func sameDeviceInJSONIsEqual() throws {
        #expect(try read(DeviceDescription.exampleJSON, from: "device.json") == .example)
    }

    @Test(arguments: ["device", "device.yaml", "device.json", "a b%20c#d?.yaml", "gerät.yml"])
    func nameOfTheFileDoesNotMatter(_ name: String) throws {
        #expect(try read(DeviceDescription.exampleYAML, from: name) == .example)
        #expect(try read(DeviceDescription.exampleJSON, from: name) == .example)
    }

    @Test func linesMayEndWithCRLF() throws {
        let text = DeviceDescription.exampleYAML.split(separator: "\n").joined(separator: "\r\n")
        #expect(try read(text, from: "device.yaml") == .example)
    }

    @Test func appAloneIsRead() throws {
        let path = try folder.write("bundleIdentifier: a\nscenes: [{persistentIdentifier: s}]".utf8, to: "app.yaml")
        let app = try DescriptionFile.read(AppDescription.self, from: path)
        #expect(app == AppDescription(bundleIdentifier: "a", scenes: [SceneSession(persistentIdentifier: "s")]))
    }

    @Test func listIsRead() throws {
        let path = try folder.write("- persistentIdentifier: s\n- persistentIdentifier: t".utf8, to: "scenes.yaml")
        let scenes = try DescriptionFile.read([SceneSession].self, from: path)
        #expect(scenes.map(\.persistentIdentifier) == ["s", "t"])
    }

    @Test(arguments: [("ipad", 3), ("mac", 3), ("iphone", 0)])
    func deviceOfTheDemoIsRead(_ name: String, _ scenes: Int) throws {
        let file = Repository.root.appending(path: "CLI/AdminCommands/ClownTown/devices/\(name).yaml")
        let device = try DescriptionFile.read(DeviceDescription.self, from: file.path)
        #expect(device.apps.flatMap(\.scenes).count == scenes)
    }
}
