internal import AssociationFetching
internal import DeviceModel
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import WaypostSchema

/// Asks domains for their association files: all at the start, and each again when its time has come.
struct AssociationChecks: Service {
    let device: DeviceStore
    let fetcher: AssociationFetcher
    let development: [String: AssociationLocation]
    let sources: AgentSources
    let logger: Logger

    /// Called once every domain was asked for the first time.
    let onFirstCheck: @Sendable () -> Void

    func run() async throws {
        for error in device.model.associatedDomainErrors { logger.warning("\(error)") }
        let alarm = Alarm(changes: device.changes.watch(), sources: sources) {
            // Who is offline asks nobody.
            device.model.isInAirplaneMode ? nil : device.model.nextDomainCheck
        }
        await cancelWhenGracefulShutdown {
            await check(device.model.domainsToAsk(at: sources.now()))
            onFirstCheck()
            await alarm.run { await check(device.model.domainsToAsk(at: sources.now())) }
        }
    }

    /// Asks domains for their files, all at once; returns when all have answered or failed.
    func check(_ requests: [AssociationRequest]) async {
        guard !device.model.isInAirplaneMode else { return }
        await withTaskGroup(of: Void.self) { group in
            for request in requests {
                group.addTask { await check(request) }
            }
        }
    }

    private func check(_ request: AssociationRequest) async {
        let location = location(of: request)
        let result: Result<[UInt8], AssociationFailure>
        do throws(AssociationFailure) {
            result = .success(try await fetcher.fetch(location).bytes)
        } catch {
            // Who is shutting down did not learn anything of the domain.
            if Task.isCancelled { return }
            result = .failure(error)
        }
        let event = DeviceEvent.associationChecked(domain: request.domain, source: location.source, result)
        let reactions: [DeviceReaction]
        do {
            reactions = try await device.apply([event], at: sources.now())
        } catch {
            return logger.error("an association file cannot be kept", metadata: ["error": "\(error)"])
        }
        for case .associationUpdated(let status) in reactions.flatMap(\.effects) {
            guard let failure = status.failure else { continue }
            logger.warning(
                "an association file could not be had",
                metadata: ["domain": "\(status.domain)", "source": "\(status.source)", "reason": "\(failure.message)"]
            )
        }
    }

    private func location(of request: AssociationRequest) -> AssociationLocation {
        guard request.isDevelopment else { return .domain(request.domain) }
        return development[request.domain] ?? .developmentServer("https://\(request.domain)")
    }
}
