internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import Highlights
internal import Hummingbird
internal import LocalFiles
internal import LocalService
internal import Logging
internal import WaypostSchema

/// The API for scripts and for the user: it shows the devices, performs the user's actions, and explains the results.
struct ControlAPI: AgentAPI {
    let agentDevices: AgentDevices
    let factory: DeviceFactory
    let address: AgentAddress
    let token: ControlToken?

    /// The base URL of the app API, once it listens.
    let appAPIURL: AppAPIURL

    let sources: AgentSources
    let logger: Logger

    let onListening: @Sendable (_ url: String) -> Void

    var health: Health {
        factory.health.report(on: agentDevices.devices.map(\.store))
    }

    var allowedHosts: AllowedHosts {
        factory.configuration.allowedHosts
    }

    func addRoutes(to router: Router<ServiceContext>) {
        addDeviceRoutes(to: router)
        addEventRoutes(to: router)
        addJournalRoutes(to: router)
        addAppRoutes(to: router)
        addSceneRoutes(to: router)
        addNotificationRoutes(to: router)
        addMessageRoutes(to: router)
        addAttributionRoutes(to: router)
        addClockRoutes(to: router)
    }

    /// Returns the device in the path.
    func device(_ context: ServiceContext) throws -> RunningDevice {
        try agentDevices.device(named: try context.pathComponent("name"))
    }

    /// Returns the app in the path.
    func app(_ context: ServiceContext) throws -> (device: RunningDevice, app: BundleIdentifier) {
        let (device, app) = (try device(context), BundleIdentifier(rawValue: try context.pathComponent("app")))
        guard device.store.model.app(app) != nil else {
            throw AgentError.unknownApp(app, device: device.store.name, apps: device.store.model.sharing.apps)
        }
        return (device, app)
    }

    /// Returns a list of a device, once it is as long as the request requires.
    func list<Element: Encodable & Sendable>(
        _ request: Request,
        _ context: ServiceContext,
        read: @escaping @Sendable (DeviceModel) -> [Element]
    ) async throws -> Response {
        let device = try device(context).store
        let wait = try ListWait(request, context)
        return try JSONResponse.make(
            try await wait.list(after: device.changes, sources, read: { read(device.model) }, count: \.count)
        )
    }

    private func addEventRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/events") { _, context in
            DeviceStream.response(in: context, of: try device(context).store)
        }
        router.post("v1/devices/:name/events") { request, context in
            let device = try device(context)
            let event: DeviceEvent = try await request.strictlyDecoded(maximumSize: Self.maximumDescriptionSize)
            try validate(event, for: device.store)
            if let refusal = Self.refusal(of: event, on: device.store) {
                return try JSONResponse.make(DeviceReaction(effects: [.system(.eventIgnored(refusal))]))
            }
            if Self.isAboutLinks(event) { await device.associationChecks.checkChangedLocalFiles() }
            return try JSONResponse.make(try await device.apply(event))
        }
    }

    /// Returns why the user cannot do what an event says, which an app could do; `nil` if nothing prevents it.
    static func refusal(of event: DeviceEvent, on device: DeviceStore) -> IgnoredEvent? {
        switch event {
        case .scene(.sceneCreated), .scene(.sceneBroughtForward):
            do throws(IgnoredEvent) {
                try device.model.requireUnlocked()
                return nil
            } catch {
                return error
            }
        default: return nil
        }
    }

    /// Returns whether the association files of domains can decide what an event does.
    private static func isAboutLinks(_ event: DeviceEvent) -> Bool {
        switch event {
        case .scene(.urlOpened), .sharing: true
        default: false
        }
    }

    /// The maximum size in bytes of a body with photographs of contacts: that of a file that a person writes.
    static let maximumDescriptionSize = FileContents.maximumSize

    /// The maximum number of snapshots of a device.
    static let maximumSnapshots = 100

    /// The maximum length of the name of a snapshot, in bytes of UTF-8.
    private static let maximumSnapshotNameLength = 255

    /// Checks that an event may be applied.
    ///
    /// An event must not rename the device, because the agent identifies it by its name, nor take more snapshots than
    /// the maximum, nor restore a backup without a new token of the device.
    ///
    /// - Throws: `RequestError`, or `AgentError.tooManySnapshots`.
    func validate(_ event: DeviceEvent, for device: DeviceStore) throws {
        switch event {
        case .system(.snapshotTaken(let name)):
            guard name.utf8.count <= Self.maximumSnapshotNameLength else {
                throw RequestError.malformedBody(
                    "the name of a snapshot has at most \(Self.maximumSnapshotNameLength) bytes"
                )
            }
            let names = device.model.snapshotNames
            guard names.count < Self.maximumSnapshots || names.contains(name) else {
                throw AgentError.tooManySnapshots(limit: Self.maximumSnapshots)
            }
        case .system(.deviceDescribed(let description)) where description.name != device.name:
            throw RequestError.malformedBody("'name': a device cannot be renamed; its name is '\(device.name)'")
        case .scene(.urlOpened(_, _?, _?)):
            throw RequestError.malformedBody("'page': a link is in an app ('from') or on a page, not both")
        case .scene(.urlOpened(_, let source?, _)) where device.model.app(source) == nil:
            throw AgentError.unknownApp(source, device: device.name, apps: device.model.sharing.apps)
        case .system(.deviceRenamed):
            throw RequestError.malformedBody(
                "'type': a device cannot be renamed; POST …/fork makes a copy with another name"
            )
        case .system(.backupRestored):
            throw RequestError.malformedBody(
                "'type': POST …/restoration restores a backup, because the device needs another token, too"
            )
        default: break
        }
    }

    private func addClockRoutes(to router: Router<ServiceContext>) {
        router.get("v1/clock") { _, _ in try JSONResponse.make(clockReading) }
        router.post("v1/clock/advance") { request, _ in
            let advance: ClockAdvance = try await request.decoded()
            guard let clock = sources.manualClock else { throw AgentError.clockIsSystem }
            try await move(clock, to: try Self.destination(of: advance, from: clock.now))
            return try JSONResponse.make(clockReading)
        }
    }

    private static func destination(of advance: ClockAdvance, from now: Timestamp) throws -> Timestamp {
        do throws(ClockAdvanceError) {
            return try advance.destination(from: now, latest: DeviceModel.latestTime)
        } catch .needsByOrTo {
            throw RequestError.malformedBody("the body does not move the clock: give exactly one of 'by' and 'to'")
        } catch {
            throw AgentError.clockGoesBack
        }
    }

    /// Moves the clock, or the gateway's clock if this one follows it.
    ///
    /// It returns when everything that is due has happened.
    private func move(_ clock: ManualClock, to destination: Timestamp) async throws {
        guard factory.configuration.followsGatewayClock else {
            clock.move(to: destination)
            return try await agentDevices.applyDueChanges()
        }
        do throws(CallError) {
            _ = try await factory.client.advanceClock(ClockAdvance(to: destination))
        } catch {
            throw AgentError.gateway("\(error)")
        }
    }

    private var clockReading: ClockReading {
        ClockReading(now: sources.now(), clock: sources.manualClock == nil ? .system : .manual)
    }
}
