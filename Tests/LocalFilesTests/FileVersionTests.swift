import LocalFiles
import Testing
import WaypostTestSupport

/// The version of a file, by which a change is noticed.
@Suite struct FileVersionTests {
    @Test func versionChangesWithTheContents() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("a".utf8, to: "file")
        let version = FileVersion(of: path)
        #expect(version != nil)
        #expect(FileVersion(of: path) == version)
        _ = try folder.write("ab".utf8, to: "file")
        #expect(FileVersion(of: path) != version)
        #expect(FileVersion(of: folder.path(of: "missing")) == nil)
    }
}
