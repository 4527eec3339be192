import ArgumentParser
import Foundation
import Testing
import TextReports
import WaypostSchema
import WaypostTestSupport

@testable import AdminCommands

@Suite struct KeysTests {
    @Test func createdKeyCanBeRead() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "AuthKey_AB12CD34EF.p8")
        let made = try KeyFile.make(path: path, id: "AB12CD34EF")
        #expect(made.path == path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let read = try KeyFile(reading: path, id: nil)
        #expect(read.id == "AB12CD34EF")
        #expect(read.publicKey == made.key.publicKey)
        #expect(try KeyFile(reading: path, id: "OTHER").id == "OTHER")
        // An existing file is not overwritten.
        #expect(throws: CommandFailure.unusable("\(path): File exists")) { try KeyFile.make(path: path, id: nil) }
        withExtendedLifetime(folder) {}
    }

    @Test func identifierHasTenLettersAndDigits() throws {
        let folder = try ScratchFolder()
        let key = try KeyFile.make(path: folder.path(of: "key"), id: nil).key
        #expect(key.id.rawValue.wholeMatch(of: /[A-Z0-9]{10}/) != nil)
        withExtendedLifetime(folder) {}
    }

    @Test func invalidKeyIsReported() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(Data("no key".utf8), to: "AuthKey_X.p8")
        #expect(throws: CommandFailure.self) { try KeyFile(reading: path, id: nil) }
        #expect(throws: CommandFailure.unusable("/nowhere.p8: cannot be read: it does not exist")) {
            try KeyFile(reading: "/nowhere.p8", id: "X")
        }
        let unnamed = folder.path(of: "key.p8")
        _ = try KeyFile.make(path: unnamed, id: nil)
        #expect(throws: CommandFailure.self) { try KeyFile(reading: unnamed, id: nil) }
    }

    @Test func keysArePrintedAsATable() {
        let keys = [
            ProviderKey(id: "AB12CD34EF", team: "TEAM123456", publicKey: ""),
            ProviderKey(id: "TOPICKEY01", team: "T", publicKey: "", topics: ["a", "b"], environment: .sandbox),
        ]
        #expect(
            KeysListCommand.table(keys).text(in: .plain) == """
                Identifier  Team        Topics  Environment
                ──────────  ────        ──────  ───────────
                AB12CD34EF  TEAM123456  all     both
                TOPICKEY01  T           a, b    sandbox
                """
        )
        #expect(KeysListCommand.table([]).text(in: .plain) == "There are no keys.")
    }

    @Test func optionsDescribeAKey() throws {
        let options = try KeyOptions.parse(["--team", "T", "--topic", "a", "--topic", "b", "--environment", "sandbox"])
        let key = options.key("K", publicKey: "P")
        #expect(key == ProviderKey(id: "K", team: "T", publicKey: "P", topics: ["a", "b"], environment: .sandbox))
        try expectRefusal(of: KeysCreateCommand.self, [], "--team")
        try expectRefusal(of: KeysRevokeCommand.self, [""], "empty")
        try expectRefusal(of: KeysImportCommand.self, ["--team", "T"], "file")
    }
}
