import DescriptionFiles
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct UnreadableFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func error(of path: String) -> DescriptionFile.ReadError? {
        #expect(throws: DescriptionFile.ReadError.self) {
            try DescriptionFile.read(DeviceDescription.self, from: path)
        }
    }

    private func expectUnreadable(_ path: String, _ location: SourceLocation = #_sourceLocation) {
        let error = error(of: path)
        #expect(error?.path == path, sourceLocation: location)
        #expect(error?.description.hasPrefix("\(path): cannot be read: ") == true, sourceLocation: location)
    }

    @Test func missingFileIsNamed() {
        expectUnreadable(folder.path(of: "none.yaml"))
    }

    @Test func relativePathIsNamedAsGiven() {
        expectUnreadable("no such folder/none.yaml")
    }

    @Test func folderIsNamed() {
        expectUnreadable(folder.path)
    }

    @Test func pathThroughAFileIsNamed() throws {
        expectUnreadable(try folder.write([], to: "file") + "/device.yaml")
    }

    @Test(
        arguments: [[0xFF, 0xFE, 0x6E, 0x00], [0x6E, 0x61, 0x6D, 0x65, 0x3A, 0xE9, 0x0A], [0xC0, 0x80]] as [[UInt8]]
    )
    func fileThatIsNotUTF8IsNamed(_ bytes: [UInt8]) throws {
        expectUnreadable(try folder.write(bytes, to: "device.yaml"))
    }

    @Test(arguments: ["", "\n\n", "# nothing but a comment\n", "---\n"])
    func emptyFileIsNamed(_ text: String) throws {
        let path = try folder.write(text.utf8, to: "device.yaml")
        let error = error(of: path)
        #expect(error?.description.hasPrefix("\(path): the document ") == true, "\(error?.description ?? "")")
    }

    @Test func descriptionIsTheFileAndTheReason() {
        #expect(DescriptionFile.ReadError(path: "a/b.yaml", reason: "why").description == "a/b.yaml: why")
    }
}
