import Foundation
import LocalProcesses
import Testing
import WaypostTestSupport

@Suite struct ChangingAdminTokenTests {
    @Test func lastTokenStaysWhileTheFileIsReplaced() throws {
        let folder = try ScratchFolder()
        let token = ChangingAdminToken([:], dataFolder: folder.path)
        #expect(token.current() == nil)
        let path = try folder.write("first\n".utf8, to: "admin-token")
        #expect(token.current() == "first")
        try FileManager.default.removeItem(atPath: path)
        #expect(token.current() == "first")
        _ = try folder.write([], to: "admin-token")
        #expect(token.current() == "first")
        _ = try folder.write("second\n".utf8, to: "admin-token")
        #expect(token.current() == "second")
    }

    @Test func environmentTakesPrecedence() throws {
        let folder = try ScratchFolder()
        _ = try folder.write("file\n".utf8, to: "admin-token")
        let environment = ["WAYPOST_ADMIN_TOKEN": "environment"]
        #expect(ChangingAdminToken(environment, dataFolder: folder.path).current() == "environment")
        #expect(ChangingAdminToken(environment, dataFolder: nil).current() == "environment")
        #expect(ChangingAdminToken([:], dataFolder: nil).current() == nil)
    }
}
