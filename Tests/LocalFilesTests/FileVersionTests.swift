import Foundation
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

    @Test func fileOfTheSameContentsThatTakesTheNameIsAnotherVersion() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("a".utf8, to: "file")
        let version = try #require(FileVersion(of: path))
        #expect(try OpenFile(path: path).version() == version)
        let replacement = try folder.write("a".utf8, to: "new")
        try #require(rename(replacement, path) == 0)
        let next = try #require(FileVersion(of: path))
        #expect(next != version)
        #expect(next.changeTime >= version.changeTime)
        let age = Date().timeIntervalSince1970 - next.changeTime / .seconds(1)
        #expect((-1..<3_600).contains(age))
    }
}
