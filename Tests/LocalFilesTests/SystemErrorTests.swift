import Foundation
import Testing
import WaypostTestSupport

@testable import LocalFiles

/// Messages about errors of Foundation, whose own text says little.
@Suite struct SystemErrorTests {
    @Test(arguments: [
        ("file/new", "Not a directory"), ("new/../absent/file", "No such file or directory"),
        ("folder", "Is a directory"),
    ])
    func writingNamesTheReasonOfTheSystem(_ path: String, _ reason: String) throws {
        let folder = try ScratchFolder()
        _ = try folder.write("text".utf8, to: "file")
        try FileManager.default.createDirectory(atPath: folder.path(of: "folder"), withIntermediateDirectories: true)
        let error = #expect(throws: (any Error).self) { try Data().write(to: URL(filePath: folder.path(of: path))) }
        #expect(try SystemError.reason(of: #require(error)) == reason)
    }

    @Test func creatingAFolderNamesTheReasonOfTheSystem() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("text".utf8, to: "file")
        let error = #expect(throws: (any Error).self) {
            try FileManager.default.createDirectory(atPath: file + "/new", withIntermediateDirectories: true)
        }
        #expect(try SystemError.reason(of: #require(error)) == "Not a directory")
    }
}
