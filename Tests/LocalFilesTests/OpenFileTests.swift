import Foundation
import LocalFiles
import Testing
import WaypostTestSupport

/// The files that a process opens and creates.
@Suite struct OpenFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: [O_RDONLY, O_RDWR | O_CREAT, O_WRONLY]) func namedPipeIsRefusedAndNotWaitedFor(
        _ flags: CInt
    ) throws {
        let path = folder.path(of: "pipe")
        try #require(mkfifo(path, 0o600) == 0)
        for open in [{ try OpenFile(path: path, flags) }, { try OpenFile(regularAt: path, flags) }] {
            #expect(throws: SystemError.self) { try open() }
        }
    }

    @Test func folderAndDeviceAreRefused() {
        for (path, reason) in [(folder.path, "it is a folder"), ("/dev/null", "it is not a regular file")] {
            let error = #expect(throws: SystemError.self) { try OpenFile(path: path) }
            #expect(error?.description == reason)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func fileOfAnotherUserIsRefused() throws {
        let path = try folder.write("token".utf8, to: "token")
        try #require(chown(path, 65_534, 65_534) == 0)
        let error = #expect(throws: SystemError.self) { try OpenFile(path: path) }
        #expect("\(String(describing: error))".contains("it belongs to another user"))
        #expect(try OpenFile(regularAt: path).read() == Array("token".utf8))
    }

    @Test func createdFileIsForItsOwnerOnly() throws {
        let path = folder.path(of: "new")
        _ = try OpenFile(path: path, O_RDWR | O_CREAT)
        #expect(try mode(of: path) == 0o600)
        try AtomicFile.write([1], to: path)
        #expect(try mode(of: path) == 0o600)
        try AtomicFile.createFolder(folder.path(of: "a/b"))
        #expect(try mode(of: folder.path(of: "a/b")) == 0o700)
    }

    /// Earlier versions created some files with other permissions.
    @Test func fileThatOthersCouldReadIsClosedToThem() throws {
        let path = try folder.write("text".utf8, to: "old")
        try #require(chmod(path, 0o644) == 0)
        _ = try OpenFile(path: path, O_RDWR | O_CREAT)
        #expect(try mode(of: path) == 0o600)
    }

    @Test func fileKnowsWhetherItWasReplaced() throws {
        let path = folder.path(of: "file")
        let file = try OpenFile(path: path, O_RDWR | O_CREAT)
        #expect(file.isAt(path))
        try AtomicFile.write([1], to: path)
        #expect(!file.isAt(path))
        try FileManager.default.removeItem(atPath: path)
        #expect(!file.isAt(path))
    }

    @Test func reservedSpaceChangesNeitherSizeNorContents() throws {
        let path = try folder.write("text".utf8, to: "file")
        let file = try OpenFile(path: path, O_RDWR)
        try file.reserveSpace(0..<1 << 20)
        #expect(try file.size() == 4)
        #expect(try file.read() == Array("text".utf8))
        let status = try #require(Self.status(of: path))
        #expect(Int(status.st_blocks) * 512 >= 1 << 20)
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}
