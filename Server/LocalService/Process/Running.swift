package import Dispatch
internal import LocalFiles
package import Logging
package import ServiceLifecycle
internal import UnixSignals

extension ServiceGroup {
    /// Runs services until the task's graceful shutdown.
    ///
    /// The services start in order and shut down in reverse order. A client that never finishes its request delays
    /// shutdown by at most 5 seconds.
    package static func run(_ services: [any Service], logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(services: services.map { .named($0) }, logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError where !Task.isCancelled {
            // The shutdown was requested, and the time-out for unfinished clients has passed.
        }
    }
}

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// Returns the configuration of a service, with the name of its type as its name.
    ///
    /// By default, the name is a description of the service with all its contents, which takes a third of the time of a
    /// start.
    fileprivate static func named(_ service: any Service, onSuccess: TerminationBehavior = .cancelGroup) -> Self {
        Self(
            service: service,
            successTerminationBehavior: onSuccess,
            failureTerminationBehavior: .cancelGroup,
            serviceName: "\(type(of: service))"
        )
    }
}

/// A program that SIGTERM and SIGINT shut down, even while it is starting.
package struct Program: Service {
    private let work: @Sendable () async throws -> Void
    private let limit: DispatchTimeInterval
    private let onForcedEnd: @Sendable () -> Void

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - logger: the program's logger.
    ///   - end: a service whose end shuts the program down too.
    ///   - limit: the maximum time from a signal, or from that end, to the end of the process.
    ///   - onForcedEnd: called before the process ends because the shutdown took too long (`ShutdownLimit`).
    ///   - work: the program, which ends at the task's graceful shutdown.
    /// - Throws: the error of `work`.
    package static func run(
        logger: Logger,
        until end: (any Service)? = nil,
        limit: DispatchTimeInterval = ShutdownLimit.duration,
        onForcedEnd: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let program = Program(work: work, limit: limit, onForcedEnd: onForcedEnd)
        let ends = end.map { [ProgramEnd(event: $0, limit: limit, onForcedEnd: onForcedEnd)] } ?? []
        let services: [any Service] = [program] + ends
        let configuration = ServiceGroupConfiguration(
            services: services.map { .named($0, onSuccess: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Does the work of the program.
    package func run() async throws {
        // The group handles the signals by now. If the limit began before that, a signal could be missed, and the
        // program would go on until the limit.
        let watch = ShutdownLimit.watch(limit: limit, onEnd: onForcedEnd)
        defer { watch.end() }
        try await work()
    }
}

/// An event that shuts a program down, within the limit of a signal.
private struct ProgramEnd: Service {
    let event: any Service
    let limit: DispatchTimeInterval
    let onForcedEnd: @Sendable () -> Void

    func run() async throws {
        defer { ShutdownLimit.endProcess(after: limit, onForcedEnd) }
        try await event.run()
    }
}

/// A service that ends when standard input ends, which happens when the program at its other end does.
package struct EndOfInput: Service {
    /// Creates the service.
    package init() {}

    /// Ignores all input, and returns when it ends.
    package func run() async throws {
        for await _ in StandardInput.lines().cancelOnGracefulShutdown() {}
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
