import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

@testable import AssociationFetching

@Suite(.timeLimit(.minutes(5))) struct LocalFileTests {
    @Test(arguments: [0, 1, AssociationFile.maximumSize]) func localFileIsRead(_ count: Int) async throws {
        let bytes = [UInt8](repeating: 0x20, count: count)
        let path = try folder.write(bytes, to: "association.json")
        let file = try await AssociationFetcher.outcome(of: .localFile(path: path)).get()
        #expect(file == FetchedAssociation(bytes: bytes, source: path))
        #expect(file.contentTypeFinding == nil)
    }

    @Test(arguments: [("missing.json", "No such file or directory"), ("", "Is a directory")])
    func missingFileOrFolderIsUnreadable(_ name: String, _ reason: String) async throws {
        let path = folder.path(of: name)
        let outcome = try await AssociationFetcher.outcome(of: .localFile(path: path))
        let message = "the file '\(path)' cannot be read: \(reason)"
        #expect(outcome.failure == AssociationFailure(code: .unreadable, message: message))
    }

    @Test func largeLocalFileIsTooLarge() async throws {
        let path = try folder.write(ClownTownFile.padded(to: AssociationFile.maximumSize + 1), to: "large.json")
        let outcome = try await AssociationFetcher.outcome(of: .localFile(path: path))
        #expect(outcome.failure?.code == .tooLarge)
    }

    @Test func endlessDeviceFileIsTooLarge() async throws {
        let outcome = try await AssociationFetcher.outcome(of: .localFile(path: "/dev/zero"))
        #expect(outcome.failure?.code == .tooLarge)
    }

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }
}
