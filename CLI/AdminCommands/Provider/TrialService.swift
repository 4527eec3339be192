internal import Foundation
internal import GatewayClient
internal import HTTPTypes
internal import Hummingbird
internal import LocalProcesses
internal import LocalService
internal import Logging
internal import ProviderTrials
internal import ServiceLifecycle
internal import Synchronization

/// The HTTP hook of a provider that runs as a service: it asks for the trial, and for the messages to send.
final class TrialService: Sendable {
    /// The time that a request waits for messages.
    private static let waitTime = Duration.seconds(25)

    private let state = Mutex(TrialInbox())

    /// Runs `body` while the hook answers at an address.
    ///
    /// - Throws: `CommandFailure` if the address cannot be used, and what `body` throws.
    func whileListening<Value: Sendable>(
        at address: ListenAddress,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let logger = Logger(label: "waypost") { _ in SwiftLogNoOpLogHandler() }
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await self.answer(to: request) }
        let application = Application(
            responder: responder,
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port)),
            onServerRunning: { _ in start.yield() },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        let services = ServiceGroup(configuration: configuration)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { start.finish() }
                do {
                    try await services.run()
                } catch is CancellationError {
                    // A request was still waiting for messages.
                } catch {
                    throw CommandFailure.unusable("--listen \(address): cannot be used: \(error)")
                }
            }
            var isListening = false
            for await _ in starts {
                isListening = true
                break
            }
            guard isListening else {
                try await group.waitForAll()
                throw CancellationError()
            }
            let outcome = await Result.catching { try await body() }
            state.withLock { $0.end() }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return try outcome.get()
        }
    }

    /// Begins a trial, which the service gets as the values of environment variables.
    func begin(_ variables: [String: String]) {
        state.withLock { $0.begin(variables) }
    }

    /// Adds messages for the service.
    func give(_ messages: [TrialMessage]) {
        state.withLock { $0.give(messages) }
    }

    /// Ends the trial: messages that the service has not fetched are dropped.
    func endTrial() {
        state.withLock { $0.endTrial() }
    }

    private func answer(to request: Request) async throws -> Response {
        guard request.method == .get else { return Response(status: .methodNotAllowed) }
        switch request.uri.path {
        case "/v1/trial": return try await response { $0.setup() }
        case "/v1/messages": return try await response(ifNone: []) { $0.takeMessages() }
        default: return Response(status: .notFound)
        }
    }

    /// Returns the response with an answer, once there is one, the run is over or the request has waited long enough.
    private func response<Value: Encodable & Sendable & Equatable>(
        ifNone empty: Value? = nil,
        _ take: @escaping @Sendable (inout TrialInbox) -> TrialInbox.Answer<Value>
    ) async throws -> Response {
        let answer = try await ProcessWait.forValue(within: Self.waitTime) { () -> TrialInbox.Answer<Value>? in
            let answer = self.state.withLock { take(&$0) }
            if case .nothing = answer { return nil }
            return answer
        }
        switch answer {
        case .value(let value)?: return try JSONResponse.make(value)
        case .isOver?: return Response(status: .gone)
        case .nothing?, nil:
            guard let empty else { return Response(status: .noContent) }
            return try JSONResponse.make(empty)
        }
    }
}

/// The trial and the messages that wait for a provider, as a value.
struct TrialInbox {
    /// An answer to the provider.
    enum Answer<Value: Sendable & Equatable>: Sendable, Equatable {
        /// A value.
        case value(Value)

        /// There is nothing yet.
        case nothing

        /// The run is over.
        case isOver
    }

    private var variables: [String: String]?
    private var messages: [TrialMessage] = []
    private var hasEnded = false

    /// Begins a trial.
    mutating func begin(_ variables: [String: String]) {
        (self.variables, messages) = (variables, [])
    }

    /// Adds messages.
    mutating func give(_ newMessages: [TrialMessage]) {
        messages += newMessages
    }

    /// Ends the trial.
    mutating func endTrial() {
        (variables, messages) = (nil, [])
    }

    /// Ends the run.
    mutating func end() {
        endTrial()
        hasEnded = true
    }

    /// Returns the variables of the trial.
    func setup() -> Answer<[String: String]> {
        if hasEnded { return .isOver }
        guard let variables else { return .nothing }
        return .value(variables)
    }

    /// Returns all messages, and removes them.
    mutating func takeMessages() -> Answer<[TrialMessage]> {
        if hasEnded { return .isOver }
        defer { messages = [] }
        return messages.isEmpty ? .nothing : .value(messages)
    }
}
