internal import Synchronization

/// The base URL of the app API, which is known only when the API listens.
final class AppsURL: Sendable {
    private let known = Mutex("")

    /// The URL; empty before the API listens.
    var url: String {
        get { known.withLock(\.self) }
        set { known.withLock { $0 = newValue } }
    }
}
