internal import Synchronization

/// A holder of the base URL of the app API, which is set once the API listens.
final class AppsURL: Sendable {
    private let value = Mutex("")

    /// The URL; empty before the API listens.
    var url: String {
        get { value.withLock(\.self) }
        set { value.withLock { $0 = newValue } }
    }
}
