import Foundation
import Testing
import WaypostTestSupport

@testable import AdminCommands

@Suite struct AdminTokensTests {
    let folder: ScratchFolder
    let named: String

    init() throws {
        folder = try ScratchFolder()
        named = try folder.write("named\n".utf8, to: "named")
        _ = try folder.write("kept\n".utf8, to: "admin-token")
    }

    @Test func namedFileTakesPrecedence() throws {
        let environment = ["WAYPOST_ADMIN_TOKEN": "environment"]
        #expect(try AdminTokens.find(in: named, besides: folder.path, environment: environment) == "named")
        #expect(try AdminTokens.find(in: nil, besides: folder.path, environment: environment) == "environment")
        #expect(try AdminTokens.find(in: nil, besides: folder.path, environment: [:]) == "kept")
        #expect(try AdminTokens.find(in: nil, besides: nil, environment: [:]) == nil)
    }

    @Test func folderWithoutATokenIsNotAnError() throws {
        #expect(try AdminTokens.find(in: nil, besides: folder.path(of: "nowhere"), environment: [:]) == nil)
    }

    @Test(arguments: ["", "\n", "two words\n", "caf\u{e9}\n"]) func namedFileWithoutATokenIsAnError(
        _ text: String
    ) throws {
        let path = try folder.write(text.utf8, to: "other")
        let failure = #expect(throws: CommandFailure.self) {
            try AdminTokens.find(in: path, besides: folder.path, environment: [:])
        }
        #expect(failure.map { "\($0)".contains(path) } == true)
        #expect(throws: CommandFailure.self) {
            try AdminTokens.find(in: folder.path(of: "nowhere"), besides: nil, environment: [:])
        }
    }
}
