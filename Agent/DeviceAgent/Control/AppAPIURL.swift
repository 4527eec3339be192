internal import Synchronization

/// The base URL of the app API, which is set once the API listens.
final class AppAPIURL: Sendable {
    private let value = Mutex("")

    /// The URL; empty before the API listens.
    var current: String {
        get { value.withLock(\.self) }
        set { value.withLock { $0 = newValue } }
    }
}
