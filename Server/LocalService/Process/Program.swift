package import Dispatch
package import Logging
package import ServiceLifecycle
internal import UnixSignals

extension ServiceGroup {
    /// Runs services until the task's graceful shutdown.
    ///
    /// The services start in order and shut down in reverse order. A client that never finishes its request delays
    /// shutdown by at most 5 seconds.
    ///
    /// - Parameters:
    ///   - services: the services; if one fails, the others are canceled.
    ///   - guards: services that start last; if one fails, the others shut down as they do on request.
    ///   - logger: the program's logger.
    /// - Throws: the error of the service that failed.
    package static func run(
        _ services: [any Service],
        guardedBy guards: [any Service] = [],
        logger: Logger
    ) async throws {
        let guards = guards.map {
            ServiceGroupConfiguration.ServiceConfiguration.named($0, onFailure: .gracefullyShutdownGroup)
        }
        var configuration = ServiceGroupConfiguration(services: services.map { .named($0) } + guards, logger: logger)
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
    fileprivate static func named(
        _ service: any Service,
        onSuccess: TerminationBehavior = .cancelGroup,
        onFailure: TerminationBehavior = .cancelGroup
    ) -> Self {
        Self(
            service: service,
            successTerminationBehavior: onSuccess,
            failureTerminationBehavior: onFailure,
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
    ///   - trigger: a service whose end shuts the program down too.
    ///   - limit: the maximum time from a signal, or from the end of `trigger`, to the end of the process.
    ///   - onForcedEnd: called before the process ends because the shutdown took too long (`ShutdownLimit`).
    ///   - work: the program, which ends at the task's graceful shutdown.
    /// - Throws: the error of `work`.
    package static func run(
        logger: Logger,
        until trigger: (any Service)? = nil,
        limit: DispatchTimeInterval = ShutdownLimit.duration,
        onForcedEnd: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let program = Program(work: work, limit: limit, onForcedEnd: onForcedEnd)
        let triggers = trigger.map { [ShutdownTrigger(service: $0, limit: limit, onForcedEnd: onForcedEnd)] } ?? []
        let services: [any Service] = [program] + triggers
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
        let watch = ShutdownLimit.watch(limit: limit, onForcedEnd: onForcedEnd)
        defer { watch.end() }
        try await work()
    }
}

/// A service whose end shuts a program down, within the same time limit as a signal.
private struct ShutdownTrigger: Service {
    let service: any Service
    let limit: DispatchTimeInterval
    let onForcedEnd: @Sendable () -> Void

    func run() async throws {
        defer { ShutdownLimit.endProcess(after: limit, onForcedEnd) }
        try await service.run()
    }
}
