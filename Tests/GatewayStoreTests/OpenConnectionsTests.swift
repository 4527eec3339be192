import Foundation
import Testing
import WaypostTestSupport

@testable import GatewayStore

/// The connections of an open store to its database.
@Suite struct OpenConnectionsTests {
    /// Returns the number of descriptors of this process that are open for a file.
    private static func descriptorCount(of path: String) throws -> Int {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
            // A descriptor may close meanwhile.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target?.hasSuffix(path) == true
        }
    }

    /// Otherwise a reading connection opens when it is needed, and no descriptor may be left then.
    @Test func connectionsForReadingOpenWithTheStore() throws {
        let folder = try ScratchFolder()
        let store = try SQLiteStore.open(in: folder.path).store
        // One connection writes, and five read.
        for file in [StoreFile.database, .log] {
            #expect(try Self.descriptorCount(of: folder.path(of: file.rawValue)) >= 6, "\(file)")
        }
        try store.close()
    }
}
