internal import DeviceModel
internal import Synchronization
internal import WaypostSchema

/// The processes of a device's apps that are attached: one of each app at most.
final class AppProcesses: Sendable {
    private struct State {
        var attached: [BundleIdentifier: Attachment] = [:]
        var reasons: [Int: DetachReason] = [:]
    }

    /// A process that is attached.
    struct Attachment: Sendable {
        /// The app.
        let app: BundleIdentifier

        /// What the device does from now on.
        let effects: AsyncStream<DeviceEffect>

        fileprivate let number: Int
    }

    private let followers: EffectFollowers
    private let state = Mutex(State())

    init(_ followers: EffectFollowers) {
        self.followers = followers
    }

    /// The apps of which a process is attached.
    var running: Set<BundleIdentifier> {
        state.withLock { Set($0.attached.keys) }
    }

    /// Attaches a process of an app; one that was attached before is told nothing more.
    func attach(_ app: BundleIdentifier) -> Attachment {
        let (number, effects) = followers.numbered()
        let attachment = Attachment(app: app, effects: effects, number: number)
        end(app, for: .replaced)
        state.withLock { $0.attached[app] = attachment }
        return attachment
    }

    /// Tells the process of an app nothing more.
    func end(_ app: BundleIdentifier, for reason: DetachReason) {
        let former = state.withLock { state in
            let former = state.attached.removeValue(forKey: app)
            if let former { state.reasons[former.number] = reason }
            return former
        }
        if let former { followers.end(former.number) }
    }

    /// Notes that a process is told nothing more, or has left.
    ///
    /// - Returns: why it is told nothing more, where it was this side that ended it.
    func detach(_ attachment: Attachment) -> DetachReason? {
        followers.end(attachment.number)
        return state.withLock { state in
            if state.attached[attachment.app]?.number == attachment.number { state.attached[attachment.app] = nil }
            return state.reasons.removeValue(forKey: attachment.number)
        }
    }
}
