import Foundation
import WaypostTestSupport

/// The account that runs PostgreSQL, which refuses to run as root.
///
/// It is the account of the tests or, if that is root, the account of Debian's package.
enum DatabaseAccount {
    private static let isNeeded = geteuid() == 0

    /// Returns the command that runs another command with the account, in the same process.
    static func command(_ command: [String]) -> [String] {
        let account = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        // The account may not be permitted to enter the folder of the tests.
        return (isNeeded ? account : []) + ["sh", "-c", #"cd / && exec "$@""#, "sh"] + command
    }

    /// Creates a folder that belongs to the account.
    static func createFolder(_ path: String) async throws {
        let owner = isNeeded ? ["--owner=postgres"] : []
        _ = try await ExternalCommand.run(["install", "--directory", "--mode=0755"] + owner + [path])
    }
}
