import Foundation
import LocalProcesses
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
        #expect(try AdminTokens.find(file: named, dataFolder: folder.path, environment: environment) == "named")
        #expect(try AdminTokens.find(file: nil, dataFolder: folder.path, environment: environment) == "environment")
        #expect(try AdminTokens.find(file: nil, dataFolder: folder.path, environment: [:]) == "kept")
        #expect(try AdminTokens.find(file: nil, dataFolder: nil, environment: [:]) == nil)
    }

    @Test func folderWithoutATokenIsNotAnError() throws {
        #expect(try AdminTokens.find(file: nil, dataFolder: folder.path(of: "nowhere"), environment: [:]) == nil)
    }

    @Test(arguments: ["", "\n", "two words\n", "caf\u{e9}\n"]) func namedFileWithoutATokenIsAnError(
        _ text: String
    ) throws {
        let path = try folder.write(text.utf8, to: "other")
        let failure = #expect(throws: ProcessFailure.self) {
            try AdminTokens.find(file: path, dataFolder: folder.path, environment: [:])
        }
        #expect(failure?.description.hasPrefix("\(path): contains no administrative token") == true)
    }

    @Test(arguments: [("nowhere", "it does not exist"), ("", "it is a folder")])
    func namedFileThatCannotBeReadIsReportedWithTheReason(_ name: String, _ reason: String) {
        let path = name.isEmpty ? folder.path : folder.path(of: name)
        #expect(throws: ProcessFailure.unusable("\(path): cannot be read: \(reason)")) {
            try AdminTokens.find(file: path, dataFolder: nil, environment: [:])
        }
    }
}
