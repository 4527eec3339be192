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

        /// What the device does from now on that the app may have to know.
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
        let (number, effects) = followers.follow { $0.mayConcern(app) }
        let attachment = Attachment(app: app, effects: effects, number: number)
        let former = state.withLock { state in
            let former = state.attached.updateValue(attachment, forKey: app)
            if let former { state.reasons[former.number] = .replaced }
            return former
        }
        if let former { followers.end(former.number) }
        return attachment
    }

    /// Whether a process is still the one that is attached.
    func isAttached(_ attachment: Attachment) -> Bool {
        state.withLock { $0.attached[attachment.app]?.number == attachment.number }
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
    @discardableResult
    func detach(_ attachment: Attachment) -> DetachReason? {
        followers.end(attachment.number)
        return state.withLock { state in
            if state.attached[attachment.app]?.number == attachment.number { state.attached[attachment.app] = nil }
            return state.reasons.removeValue(forKey: attachment.number)
        }
    }
}

extension DeviceEffect {
    /// Whether a process of an app may have to know: of what is for the app, and of scenes, as those of one app come to the
    /// front in the place of another's.
    fileprivate func mayConcern(_ app: BundleIdentifier) -> Bool {
        switch self {
        case .sceneActivated, .sceneOpened, .sceneLeft, .urlOpened, .conversationPresented, .disambiguationPresented,
            .contentReturned, .deviceRestored:
            true
        default: event(for: app) != nil
        }
    }
}
