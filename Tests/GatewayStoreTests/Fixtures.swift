import GatewayStore
import WaypostSchema

extension NewNotification {
    /// Returns a notification to a device of an example.
    static func example(
        _ id: NotificationID,
        to token: DeviceToken = "tablet",
        for topic: Topic = "clowns",
        priority: Int = 10,
        expiration: Int? = nil,
        collapseID: CollapseIdentifier? = nil
    ) -> NewNotification {
        NewNotification(
            id: id,
            token: token,
            topic: topic,
            priority: priority,
            expiration: expiration,
            collapseID: collapseID,
            payload: Array(#"{"about":"\#(id)"}"#.utf8)
        )
    }
}

extension NewDevice {
    /// Returns a device that can be registered in an example.
    static func example(
        _ token: DeviceToken,
        _ digest: SecretDigest = .home,
        name: String = "",
        topics: Set<Topic> = ExampleStore.topics,
        joins: Bool = true
    ) -> NewDevice {
        NewDevice(token: token, name: name, topics: topics, digest: digest, joins: joins)
    }
}

extension Timestamp {
    /// The default time of the tests: 100 seconds after the start of 1970.
    static let noon = Timestamp.seconds(100)

    /// A time before `noon`.
    static let dawn = Timestamp.seconds(0)

    /// The earliest time, before every expiration.
    static let beginning = Timestamp(milliseconds: .min)

    static func seconds(_ seconds: Int) -> Timestamp {
        Timestamp(milliseconds: seconds * 1_000)
    }
}

extension SecretDigest {
    static let home = SecretDigest(bytes: Array(repeating: 1, count: 32))
    static let away = SecretDigest(bytes: Array(repeating: 2, count: 32))
    static let unknown = SecretDigest(bytes: Array(repeating: 3, count: 32))
}

/// A summary of changes without their sequences.
struct Tally: Equatable {
    var rewinds: Set<AgentID> = []
    var removedByState: [DeliveryState: Int] = [:]
    var batches: Set<BatchNumber> = []
}

extension StoreChanges {
    var tally: Tally {
        let removedByState = Dictionary(grouping: removals, by: \.state).mapValues(\.count)
        return Tally(rewinds: rewinds, removedByState: removedByState, batches: settledBatches)
    }
}

extension AppendOutcome {
    var appended: AppendedBatch? {
        if case .appended(let appended) = self { appended } else { nil }
    }

    var refusals: [StoreRefusal?]? {
        if case .refused(let refusals) = self { refusals } else { nil }
    }

    var duplicate: KeyedBatch? {
        if case .duplicate(let batch) = self { batch } else { nil }
    }
}

extension RegistrationOutcome {
    var registered: (agent: AgentID, changes: StoreChanges)? {
        if case .registered(let agent, let changes) = self { (agent, changes) } else { nil }
    }
}

extension DeviceChangeOutcome {
    var changed: (device: RegisteredDevice, agent: AgentID, changes: StoreChanges)? {
        if case .changed(let device, let agent, let changes) = self { (device, agent, changes) } else { nil }
    }
}
