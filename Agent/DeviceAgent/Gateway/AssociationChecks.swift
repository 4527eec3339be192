internal import AssociationFetching
internal import DeviceModel
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import WaypostSchema

/// A service that fetches the association files of domains: all at the start, and each again when it is due.
struct AssociationChecks: Service {
    let device: DeviceStore
    let fetcher: AssociationFetcher

    /// The replacements for domains during development, by domain.
    let developmentAssociations: [String: AssociationLocation]

    let sources: AgentSources
    let logger: Logger

    /// Called when every domain was checked for the first time.
    let onFirstCheck: @Sendable () -> Void

    func run() async throws {
        for error in device.model.associatedDomainErrors { logger.warning("\(error)") }
        let alarm = Alarm(changes: device.changes.watch(), sources: sources) {
            // An offline device makes no requests.
            device.model.isInAirplaneMode ? nil : device.model.nextDomainCheck
        }
        await cancelWhenGracefulShutdown {
            await check(device.model.domainsToCheck(at: sources.now()))
            onFirstCheck()
            await alarm.run { await check(device.model.domainsToCheck(at: sources.now())) }
        }
    }

    /// Fetches the files of domains concurrently, and returns when all are fetched or have failed.
    func check(_ requests: [AssociationRequest]) async {
        guard !device.model.isInAirplaneMode else { return }
        await withTaskGroup(of: Void.self) { group in
            for request in requests {
                group.addTask { await check(request) }
            }
        }
    }

    /// Fetches the file of any domain, as the device would, and changes nothing.
    func content(of domain: String) async -> AssociationFileContent {
        let neededRequest = device.model.neededDomains.first { $0.domain == domain }
        let location = location(of: neededRequest ?? AssociationRequest(domain: domain, isDevelopment: false))
        guard !device.model.isInAirplaneMode else {
            let failure = AssociationFailure(code: .unreachable, message: "the device is in airplane mode")
            return AssociationFileContent(source: location.source, failure: failure)
        }
        do throws(AssociationFailure) {
            let association = try await fetcher.fetch(location)
            guard let text = String(validating: association.bytes, as: UTF8.self) else {
                let failure = AssociationFailure(code: .notJSON, message: "the file is not UTF-8")
                return AssociationFileContent(source: association.source, failure: failure)
            }
            return AssociationFileContent(source: association.source, file: text)
        } catch {
            return AssociationFileContent(source: location.source, failure: error)
        }
    }

    private func check(_ request: AssociationRequest) async {
        let location = location(of: request)
        let result: Result<[UInt8], AssociationFailure>
        do throws(AssociationFailure) {
            result = .success(try await fetcher.fetch(location).bytes)
        } catch {
            // A request that is canceled by a shutdown says nothing about the domain.
            if Task.isCancelled { return }
            result = .failure(error)
        }
        let event = DeviceEvent.system(.associationChecked(domain: request.domain, source: location.source, result))
        let reactions: [DeviceReaction]
        do {
            reactions = try await device.apply([event], at: sources.now())
        } catch {
            return logger.error("an association file cannot be stored", metadata: ["error": "\(error)"])
        }
        for case .system(.associationUpdated(let status)) in reactions.flatMap(\.effects) {
            guard let failure = status.failure else { continue }
            logger.warning(
                "an association file could not be fetched",
                metadata: ["domain": "\(status.domain)", "source": "\(status.source)", "reason": "\(failure.message)"]
            )
        }
    }

    private func location(of request: AssociationRequest) -> AssociationLocation {
        guard request.isDevelopment else { return .domain(request.domain) }
        return developmentAssociations[request.domain] ?? .unverifiedDomain(request.domain)
    }
}
