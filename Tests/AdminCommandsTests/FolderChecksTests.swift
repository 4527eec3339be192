import ArgumentParser
import Foundation
import LocalAuthority
import Testing
import WaypostTestSupport

@testable import AdminCommands

/// The checks of `waypost doctor` that look at files.
@Suite struct FolderChecksTests {
    @Test func certificateIsValidUntilItExpires() throws {
        let scratch = try ScratchFolder()
        let folder = AuthorityFolder(path: scratch.path(of: "ca"))
        #expect(FolderChecks.certificateCheck(in: folder, at: .now).result == .skipped)
        try folder.prepare(.system)
        let expiry = try #require(folder.serverExpiry)
        #expect(FolderChecks.certificateCheck(in: folder, at: expiry - 1).result == .ok)
        let expired = FolderChecks.certificateCheck(in: folder, at: expiry)
        #expect(expired.result == .problem)
        #expect(expired.remedy?.hasPrefix("waypost ca create --folder \(folder.path)") == true)
    }

    @Test func dataFolderMustBeThere() throws {
        let scratch = try ScratchFolder()
        #expect(FolderChecks.dataFolderCheck(at: scratch.path).result == .ok)
        #expect(FolderChecks.dataFolderCheck(at: scratch.path(of: "nothing")).result == .problem)
        #expect(FolderChecks.dataFolderCheck(at: nil).result == .skipped)
    }
}

@Suite struct CompletionTests {
    @Test(arguments: [
        ("iPad", "iPad"), ("Enrique's iPhone", #"Enrique\'s iPhone"#), (#"a"b\c"#, #"a\"b\\c"#),
        ("$(x) `y`", #"\$(x) \`y\`"#),
        ("猫", "猫"),
    ])
    func namesAreEscapedForBash(_ name: String, _ escaped: String) {
        #expect(CompletionKind.escapedForBash(name) == escaped)
    }
}
