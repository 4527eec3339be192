internal import AssociationFetching
internal import DeviceModel
internal import LocalFiles
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import UniversalLinks
internal import WaypostSchema

/// A service that fetches the association files of domains: all at the start, and each again when it is due.
struct AssociationChecks: Service {
    let device: DeviceStore
    let fetcher: AssociationFetcher

    /// The replacements for domains during development, by domain.
    let developmentAssociations: [String: AssociationLocation]

    let sources: AgentSources
    let logger: Logger

    /// The versions of the local files that were read last and stored.
    let localFiles = ReadFiles()

    /// Called when every domain was checked for the first time.
    let onFirstCheck: @Sendable () -> Void

    func run() async throws {
        for error in device.model.associatedDomainErrors { logger.warning("\(error)") }
        let alarm = Alarm(changes: device.changes.watch(), sources: sources) {
            // An offline device makes no requests.
            device.model.isInAirplaneMode ? nil : device.model.nextFileCheck
        }
        await cancelWhenGracefulShutdown {
            await check(requestsAtStart)
            onFirstCheck()
            await alarm.run { await check(device.model.filesToCheck(at: sources.now())) }
        }
    }

    /// The files to request at the start: those that are due, local files, and those from another source than before.
    private var requestsAtStart: [AssociationRequest] {
        let dueRequests = Set(device.model.filesToCheck(at: sources.now()))
        return device.model.neededFiles.filter { request in
            // A developer may have edited a local file while the agent did not run.
            if case .localFile = location(of: request) { return true }
            let source = device.model.source(of: request)
            return dueRequests.contains(request) || source != nil && source != location(of: request).source
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

    /// Reads the local files that changed since they were read, so that a decision about a link is about them.
    func checkChangedLocalFiles() async {
        await check(
            device.model.neededFiles.filter { request in
                localPath(of: request).map { localFiles.hasChanged($0, for: request) } ?? false
            }
        )
    }

    /// Fetches the file of any domain, as the device would, and changes nothing.
    func content(of domain: String) async -> AssociationFileContent {
        let request = AssociationRequest(domain: domain, isDevelopment: false)
        // The file for development comes last.
        let neededRequest = device.model.neededFiles.last { $0.domain == request.domain }
        let location = location(of: neededRequest ?? request)
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
        let installationCount = device.model.installationCount(of: request)
        let result: Result<[UInt8], AssociationFailure>
        // A change while the file is read counts as one after that.
        let version = localPath(of: request).flatMap { FileVersion(of: $0) }
        do throws(AssociationFailure) {
            result = .success(try await fetcher.fetch(location).bytes)
        } catch {
            // A request that is canceled by a shutdown says nothing about the domain.
            if Task.isCancelled { return }
            result = .failure(error)
        }
        // An app was installed after the request was sent, so the answer may be too old.
        if device.model.installationCount(of: request) > installationCount { return await check(request) }
        let event = DeviceEvent.system(
            .associationChecked(
                domain: request.domain,
                source: location.source,
                isDevelopment: request.isDevelopment,
                result
            )
        )
        let reactions: [DeviceReaction]
        do {
            reactions = try await device.apply([event], at: sources.now())
        } catch is CancellationError {
            // The device is removed, or the agent shuts down.
            return
        } catch {
            return logger.error("an association file cannot be stored", metadata: ["error": "\(error)"])
        }
        // A file that was not stored is read again before the next link.
        if localPath(of: request) != nil { localFiles.record(version, for: request) }
        for case .system(.associationUpdated(let status)) in reactions.flatMap(\.effects) {
            guard let failure = status.failure else { continue }
            logger.warning(
                "an association file could not be fetched",
                metadata: ["domain": "\(status.domain)", "source": "\(status.source)", "reason": "\(failure.message)"]
            )
        }
    }

    /// Returns the path of the local file that replaces the file of a domain, if one does.
    private func localPath(of request: AssociationRequest) -> String? {
        guard case .localFile(let path) = location(of: request) else { return nil }
        return path
    }

    private func location(of request: AssociationRequest) -> AssociationLocation {
        guard request.isDevelopment else { return .domain(request.domain) }
        return developmentAssociations[request.domain] ?? .unverifiedDomain(request.domain)
    }
}
