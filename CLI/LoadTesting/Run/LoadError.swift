/// The reason why a load test cannot run.
package enum LoadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A listener has no URL that a load test can use.
    case unusableURL(String)

    /// The devices are not connected in time.
    case notConnected(Int, of: Int)

    /// The gateway refused a channel for messages to all devices.
    case noChannel(status: Int)

    /// A listener does not take connections.
    case noConnection(String)

    /// A description of the error.
    package var description: String {
        switch self {
        case .unusableURL(let url): "\(url): a load test needs a URL such as http://127.0.0.1:7330"
        case .notConnected(let count, let all): "only \(count) of \(all) devices are connected after a minute"
        case .noChannel(let status): "the gateway refused a channel with status \(status)"
        case .noConnection(let reason): "the sender cannot connect: \(reason)"
        }
    }
}
