internal import Foundation
internal import LocalProcesses

/// The sources of the administrative token.
enum AdminTokens {
    /// Finds the token in a file, in the environment, or in a gateway's data folder.
    ///
    /// - Parameters:
    ///   - file: the token file that the user named, if any; it must exist.
    ///   - dataFolder: the gateway's data folder, if it is known; it need not contain a readable token.
    ///   - environment: the process's environment.
    /// - Returns: the token, or `nil` if there is none.
    /// - Throws: `ProcessFailure` if `file` cannot be read or contains no token.
    static func find(
        file: String?,
        dataFolder: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String? {
        if let file { return try ReadyFiles.adminToken(at: file) }
        return ReadyFiles.adminToken(environment, dataFolder: dataFolder)
    }
}
