import Foundation
import LocalFiles
import Testing
import WaypostTestSupport

/// The contents of whole files, which have a maximum size.
@Suite struct FileContentsTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(arguments: 0...3) func sizeUpToTheMaximumIsRead(_ count: Int) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        let path = try folder.write(bytes, to: "file")
        guard count <= 2 else {
            let error = #expect(throws: SystemError.self) { try FileContents.bytes(at: path, maximumSize: 2) }
            #expect(error?.description == "it has more than 2 bytes")
            return
        }
        #expect(try FileContents.bytes(at: path, maximumSize: 2) == bytes)
    }

    @Test func largeFileIsNotRead() throws {
        let path = try folder.write([], to: "file")
        try #require(truncate(path, 1 << 33) == 0)
        let file = try OpenFile(anyAt: path)
        #expect(throws: SystemError.tooLarge(8 << 20)) { try file.readToEnd(maximumSize: 8 << 20) }
        // The position has not changed.
        #expect(try file.read(upTo: 1) == [0])
        #expect(FileContents.text(regularAt: path) == nil)
    }

    /// A pipe has no size.
    @Test(arguments: [3, 4]) func pipeIsReadUpToTheMaximum(_ count: Int) throws {
        let path = folder.path(of: "pipe")
        try #require(mkfifo(path, 0o600) == 0)
        // With both ends, neither opening waits for the other.
        var writer: OpenFile? = try OpenFile(anyAt: path, O_RDWR)
        try writer?.write([UInt8](repeating: 7, count: count))
        let reader = try OpenFile(anyAt: path, O_RDONLY | O_NONBLOCK)
        // The pipe ends when its writer is closed.
        writer = nil
        guard count > 3 else {
            #expect(try reader.readToEnd(maximumSize: 3) == [7, 7, 7])
            return
        }
        #expect(throws: SystemError.tooLarge(3)) { try reader.readToEnd(maximumSize: 3) }
    }

    @Test func reasonIsThatOfTheSystem() throws {
        let missing = #expect(throws: SystemError.self) { try FileContents.bytes(at: folder.path(of: "none")) }
        #expect(missing?.description == "it does not exist")
        let folderError = #expect(throws: SystemError.self) { try FileContents.bytes(at: folder.path) }
        #expect(folderError?.description == "it is a folder")
    }

    @Test(arguments: [([0x61], "a"), ([0xFF], nil)] as [([UInt8], String?)])
    func textIsUTF8(_ bytes: [UInt8], _ text: String?) throws {
        let path = try folder.write(bytes, to: "file")
        #expect(FileContents.text(regularAt: path) == text)
    }

    @Test func pipeInThePlaceOfARegularFileIsNotWaitedFor() throws {
        let path = folder.path(of: "pipe")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(FileContents.text(regularAt: path) == nil)
    }
}
