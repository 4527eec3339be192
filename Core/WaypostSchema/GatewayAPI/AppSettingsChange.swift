/// A request to change the settings of an app.
public struct AppSettingsChange: Codable, Sendable, Equatable {
    /// The new way to store the app's notifications.
    public var storage: StorageMode

    /// Creates the value from its parts.
    public init(storage: StorageMode) {
        self.storage = storage
    }
}
