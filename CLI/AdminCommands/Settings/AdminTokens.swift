internal import Foundation

/// The sources of the administrative token.
enum AdminTokens {
    /// Finds the token in a file, in the environment, or in a gateway's data folder.
    ///
    /// - Parameters:
    ///   - file: the token file that the user named, if any; it must exist.
    ///   - dataFolder: the gateway's data folder, if it is known; it need not contain a readable token.
    ///   - environment: the process's environment.
    /// - Returns: the token, or `nil` if there is none.
    /// - Throws: `CommandFailure` if `file` cannot be read or contains no token.
    static func find(
        file: String?,
        dataFolder: String?,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> String? {
        if let file {
            guard let token = token(in: file) else {
                throw CommandFailure.unusable("\(file): contains no administrative token that can be read")
            }
            return token
        }
        return environment["WAYPOST_ADMIN_TOKEN"] ?? dataFolder.flatMap { token(in: $0 + "/admin-token") }
    }

    private static func token(in path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        // Other characters do not fit into a header. The gateway reports any other problem with the token.
        return !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? token : nil
    }
}
