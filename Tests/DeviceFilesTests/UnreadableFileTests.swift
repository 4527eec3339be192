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

    @Test(arguments: ["", "\n\n", "# nothing but a comment\n", "---\n"])
    func emptyFileIsNamed(_ text: String) throws {
        let path = try folder.write(text.utf8, to: "device.yaml")
        expectUnreadable(path, because: "the file is empty; a device file is an object with 'name' and 'apps'")
    }
}
