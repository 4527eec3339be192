import DeviceFiles
import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct UnreadableFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func error(of path: String) -> FileFindings? {
        #expect(throws: FileFindings.self) { try DeviceFile(path, .device()) }
    }

    private func expectUnreadable(
        _ path: String,
        because reason: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        let description = error(of: path)?.description
        #expect(description == "\(path):1:1: \(reason)", sourceLocation: location)
    }

    private static let missing = "cannot be read: it does not exist"

    @Test func missingFileIsNamed() {
        expectUnreadable(folder.path(of: "none.yaml"), because: Self.missing)
    }

    @Test func relativePathIsNamedAsGiven() {
        expectUnreadable("no such folder/none.yaml", because: Self.missing)
    }

    /// The file has no blocks on the disk, so reading it would not fail.
    @Test func largeFileIsRefusedByItsSize() throws {
        let path = try folder.write([], to: "device.yaml")
        try #require(truncate(path, 2 << 30) == 0)
        expectUnreadable(path, because: "cannot be read: it has more than 8 MiB")
    }

    @Test func endlessFileIsRefused() {
        expectUnreadable("/dev/zero", because: "cannot be read: it has more than 8 MiB")
    }

    @Test func folderIsNamed() {
        expectUnreadable(folder.path, because: "cannot be read: it is a folder")
    }

    @Test func pathThroughAFileIsNamed() throws {
        let reason = "cannot be read: a part of its path is not a folder"
        expectUnreadable(try folder.write([], to: "file") + "/device.yaml", because: reason)
    }

    @Test(
        arguments: [[0xFF, 0xFE, 0x6E, 0x00], [0x6E, 0x61, 0x6D, 0x65, 0x3A, 0xE9, 0x0A], [0xC0, 0x80]] as [[UInt8]]
    )
    func fileThatIsNotUTF8IsNamed(_ bytes: [UInt8]) throws {
        expectUnreadable(try folder.write(bytes, to: "device.yaml"), because: "is not UTF-8")
    }

    @Test(arguments: [
        (
            "name: A\ndevices: {}\nsteps: []\n",
            "this is a scenario, and not a device file; 'waypost scenario FILE' runs it"
        ),
        ("devices: [ipad.yaml]\n", "this is a stack file, and not a device file; 'waypost up FILE' runs it"),
        (
            "bundleIdentifier: com.example.tv\nscenes: []\n",
            "this is an app file, and not a device file; a device file lists apps under 'apps'"
        ),
        (#"{"applinks":{"details":[]}}"#, "this is an association file, and not a device file"),
        (#"{"aps":{"alert":"Hi"}}"#, "this is a payload, and not a device file"),
    ])
    func fileOfAnotherKindIsNamed(_ text: String, _ reason: String) throws {
        expectUnreadable(try folder.write(text.utf8, to: "other.yaml"), because: reason)
    }

    @Test func mistakesOfADeviceFileAreReportedOneByOne() throws {
        let path = try folder.write("name: A\napps: []\nsteps: []\n".utf8, to: "device.yaml")
        #expect(error(of: path)?.description.contains("steps") == true)
    }

    @Test(arguments: ["", "\n\n", "# nothing but a comment\n", "---\n"])
    func emptyFileIsNamed(_ text: String) throws {
        let path = try folder.write(text.utf8, to: "device.yaml")
        expectUnreadable(path, because: "the file is empty; a device file is an object with 'name' and 'apps'")
    }
}
