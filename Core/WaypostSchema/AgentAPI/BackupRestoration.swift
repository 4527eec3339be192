/// A backup that was restored on a device.
public struct BackupRestoration: Codable, Sendable, Equatable {
    /// The name of the device of the backup.
    public var from: String

    /// The changes of tokens on the device: that of the device itself, then those of apps.
    public var tokens: [TokenReplacement]

    /// The changes as a sentence, and what they mean for senders.
    public var explanation: String

    /// Creates the value from its parts.
    public init(from: String, tokens: [TokenReplacement], explanation: String) {
        self.from = from
        self.tokens = tokens
        self.explanation = explanation
    }
}
