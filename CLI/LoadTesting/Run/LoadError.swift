/// The reason why a load test cannot run.
package enum LoadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The URL of a listener is not one that a load test can use.
    case unusableURL(String)

    /// Not all devices connected in time.
    case notConnected(connectedCount: Int, of: Int)

    /// The gateway refused a channel for messages to all devices.
    case channelRefused(status: Int)

    /// A listener does not accept connections.
    case connectionFailed(String)

    /// Whether a listener does not accept connections.
    package var isUnreachable: Bool {
        if case .connectionFailed = self { true } else { false }
    }

    /// A description of the error.
    package var description: String {
        switch self {
        case .unusableURL(let url): "\(url): a load test needs a URL such as http://127.0.0.1:7330"
        case .notConnected(let connectedCount, let count):
            "only \(connectedCount) of \(count) devices are connected after a minute"
        case .channelRefused(let status): "the gateway refused a channel with status \(status)"
        case .connectionFailed(let reason): "the sender cannot connect: \(reason)"
        }
    }
}
