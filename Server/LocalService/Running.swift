package import Logging
package import ServiceLifecycle
internal import UnixSignals

extension ServiceGroup {
    /// Runs services until SIGTERM, SIGINT or the task's graceful shutdown.
    ///
    /// The services start in order and shut down in reverse order. A client that never finishes its request delays
    /// shutdown by at most 5 seconds.
    package static func run(_ services: [any Service], logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError where !Task.isCancelled {
            // The shutdown was requested, and the time-out for unfinished clients has passed.
        }
    }
}

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
