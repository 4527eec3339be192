package import Logging

/// The verbosity of a service's log.
package enum LogLevel: String, CaseIterable, Sendable {
    case debug
    case info
    case notice
    case warning
    case error

    /// The corresponding level of the logger.
    package var level: Logger.Level {
        Logger.Level(rawValue: rawValue) ?? .notice
    }
}
