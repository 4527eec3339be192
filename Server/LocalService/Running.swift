package import Logging
package import ServiceLifecycle
internal import UnixSignals

extension ServiceGroup {
    /// Runs services until SIGTERM, SIGINT or the task's graceful shutdown.
    ///
    /// They start in order and are asked to end in the opposite one; a client that never finishes its request is waited for
    /// 5 seconds.
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
            // The shutdown was asked for, and a client that did not finish was not waited for.
        }
    }
}

/// How much a service logs.
package enum LogLevel: String, CaseIterable, Sendable {
    case debug
    case info
    case notice
    case warning
    case error

    /// The level as the logger knows it.
    package var level: Logger.Level {
        Logger.Level(rawValue: rawValue) ?? .notice
    }
}
