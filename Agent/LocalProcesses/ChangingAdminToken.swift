internal import Synchronization

/// The administrative token of a gateway, which another one may replace while the program runs.
package final class ChangingAdminToken: Sendable {
    private let environment: [String: String]
    private let dataFolder: String?
    private let last = Mutex<String?>(nil)

    /// Creates the token that is in the environment, or else in the data folder of a gateway.
    package init(_ environment: [String: String], dataFolder: String?) {
        (self.environment, self.dataFolder) = (environment, dataFolder)
    }

    /// Returns the token as it is now.
    ///
    /// While the file is missing or empty, because a program replaces it in steps, the token is the last one.
    ///
    /// - Returns: the token, or `nil` if there was none yet.
    package func current() -> String? {
        let token = ReadyFiles.adminToken(environment, dataFolder: dataFolder)
        return last.withLock { last in
            if let token { last = token }
            return last
        }
    }
}
