internal import DeviceModel
internal import Synchronization
internal import WaypostSchema

/// The device of an agent, shared by the session that feeds it and the control API that shows and drives it.
final class Device: Sendable {
    private struct State {
        var model: DeviceModel
        var credential: DeviceCredential?
        var isConnected = false
    }

    let name: String
    let topics: [Topic]
    private let state: Mutex<State>

    /// Creates the device that `description` describes.
    ///
    /// - Throws: `DescriptionFault` where there can be no such device.
    init(_ description: DeviceDescription) throws(DescriptionFault) {
        let model = try DeviceModel(description)
        name = model.name
        topics = model.topics
        state = Mutex(State(model: model))
    }

    /// What the gateway knows the device by; `nil` until it is registered.
    var credential: DeviceCredential? {
        get { state.withLock(\.credential) }
        set { state.withLock { $0.credential = newValue } }
    }

    /// Whether the stream from the gateway is open.
    var isConnected: Bool {
        get { state.withLock(\.isConnected) }
        set { state.withLock { $0.isConnected = newValue } }
    }

    var status: DeviceStatus {
        state.withLock { state in
            DeviceStatus(
                name: name,
                token: state.credential?.token,
                isConnected: state.isConnected,
                notifications: state.model.notifications.count
            )
        }
    }

    var notifications: [DeviceNotification] {
        state.withLock(\.model.notifications)
    }

    var apps: [AppDescription] {
        state.withLock(\.model.description.apps)
    }

    /// What the device knows of the association files that its apps need.
    var associationFiles: [AssociationFileStatus] {
        state.withLock(\.model.associationFiles)
    }

    /// All domains whose association files the apps need.
    var neededDomains: [AssociationRequest] {
        state.withLock(\.model.neededDomains)
    }

    /// When the next domain is to be asked for its file.
    var nextDomainCheck: Timestamp? {
        state.withLock(\.model.nextDomainCheck)
    }

    /// What is wrong with the apps' associated domains.
    var associatedDomainFaults: [String] {
        state.withLock(\.model.associatedDomainFaults)
    }

    /// Returns the domains to ask for their association files.
    func domainsToAsk(at now: Timestamp) -> [AssociationRequest] {
        state.withLock { $0.model.domainsToAsk(at: now) }
    }

    /// Returns, for each app that has associated domains, whether it may be offered a URL, and why.
    func linkDecisions(on url: String) -> [LinkDecision] {
        state.withLock { $0.model.linkDecisions(on: url) }
    }

    /// Applies an event and returns what the device did about it.
    func apply(_ event: DeviceEvent, at now: Timestamp) -> [DeviceEffect] {
        state.withLock { $0.model.apply(event, at: now).effects }
    }
}
