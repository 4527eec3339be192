internal import DeviceModel
internal import Synchronization
internal import WaypostSchema

/// The attached processes of a device's apps, at most one for each app.
final class AppProcesses: Sendable {
    private struct State {
        var attached: [BundleIdentifier: Attachment] = [:]
        var reasons: [Int: DetachReason] = [:]
    }

    /// An attached process.
    struct Attachment: Sendable {
        /// The app.
        let app: BundleIdentifier

        /// The effects on the device that may concern the app, from now on.
        let effects: AsyncStream<DeviceEffect>

        fileprivate let number: Int
    }

    private let followers: EffectFollowers
    private let state = Mutex(State())

    init(_ followers: EffectFollowers) {
        self.followers = followers
    }

    /// The apps with an attached process.
    var running: Set<BundleIdentifier> {
        state.withLock { Set($0.attached.keys) }
    }

    /// Attaches a process of an app; the previous process of the app receives nothing more.
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

    /// Returns whether a process is still attached.
    func isAttached(_ attachment: Attachment) -> Bool {
        state.withLock { $0.attached[attachment.app]?.number == attachment.number }
    }

    /// Detaches the process of an app.
    func end(_ app: BundleIdentifier, for reason: DetachReason) {
        let former = state.withLock { state in
            let former = state.attached.removeValue(forKey: app)
            if let former { state.reasons[former.number] = reason }
            return former
        }
        if let former { followers.end(former.number) }
    }

    /// Removes a process that receives nothing more, or has disconnected.
    ///
    /// - Returns: the reason why the agent detached the process, or `nil` if it did not.
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
    /// Whether a process of an app may need the effect.
    ///
    /// It needs effects for the app, and effects on any scene, because one app's scene in front replaces another's.
    fileprivate func mayConcern(_ app: BundleIdentifier) -> Bool {
        switch self {
        case .sceneActivated, .sceneOpened, .sceneLeft, .urlOpened, .conversationPresented, .disambiguationPresented,
            .contentReturned, .deviceRestored:
            true
        default: event(for: app) != nil
        }
    }
}
