internal import DeviceModel
internal import Synchronization
internal import WaypostSchema

/// The attached processes of a device's apps, at most one for each app and one for its service extension.
final class AppProcesses: Sendable {
    private struct State {
        var attachments: [Program: Attachment] = [:]
        var detachReasons: [Int: DetachReason] = [:]
    }

    /// A program of an app.
    struct Program: Sendable, Hashable {
        let app: BundleIdentifier
        let role: AppProcess.Role
    }

    /// An attached process.
    struct Attachment: Sendable {
        /// The program.
        let program: Program

        /// The app.
        var app: BundleIdentifier {
            program.app
        }

        /// The effects on the device that may concern the app, from now on.
        let updates: AsyncStream<DeviceUpdate>

        fileprivate let number: Int
    }

    private let subscribers: DeviceSubscribers
    private let state = Mutex(State())

    init(_ subscribers: DeviceSubscribers) {
        self.subscribers = subscribers
    }

    /// The apps with an attached process; the process of a service extension does not count.
    var runningApps: Set<BundleIdentifier> {
        state.withLock { Set($0.attachments.keys.filter { $0.role == .app }.map(\.app)) }
    }

    /// Attaches a process of an app; the previous process of the same program receives nothing more.
    func attach(_ app: BundleIdentifier, as role: AppProcess.Role) -> Attachment {
        let (number, updates) = subscribers.subscribe { $0.effect?.mayConcern(app) ?? false }
        let program = Program(app: app, role: role)
        let attachment = Attachment(program: program, updates: updates, number: number)
        let previous = state.withLock { state in
            let previous = state.attachments.updateValue(attachment, forKey: program)
            if let previous { state.detachReasons[previous.number] = .replaced }
            return previous
        }
        if let previous { subscribers.unsubscribe(previous.number) }
        return attachment
    }

    /// Returns whether a process is still attached.
    func isAttached(_ attachment: Attachment) -> Bool {
        state.withLock { $0.attachments[attachment.program]?.number == attachment.number }
    }

    /// Detaches all processes of an app, or only that with a role.
    func detachAll(of app: BundleIdentifier, role: AppProcess.Role? = nil, for reason: DetachReason) {
        let previous = state.withLock { state in
            let previous = state.attachments.values.filter { $0.app == app && (role == nil || $0.program.role == role) }
            for attachment in previous {
                state.attachments[attachment.program] = nil
                state.detachReasons[attachment.number] = reason
            }
            return previous
        }
        for attachment in previous { subscribers.unsubscribe(attachment.number) }
    }

    /// Removes a process that receives nothing more, or has disconnected.
    ///
    /// - Returns: the reason why the agent detached the process, or `nil` if it did not.
    @discardableResult
    func detach(_ attachment: Attachment) -> DetachReason? {
        subscribers.unsubscribe(attachment.number)
        return state.withLock { state in
            if state.attachments[attachment.program]?.number == attachment.number {
                state.attachments[attachment.program] = nil
            }
            return state.detachReasons.removeValue(forKey: attachment.number)
        }
    }
}

extension DeviceEffect {
    /// Whether a process of an app may need the effect.
    ///
    /// It needs effects for the app, and effects on any scene, because one app's scene in front replaces another's.
    fileprivate func mayConcern(_ app: BundleIdentifier) -> Bool {
        switch self {
        case .scene, .system(.deviceRestored), .attribution(.conversationPresented),
            .attribution(.disambiguationPresented), .attribution(.contentReturned):
            true
        case .notification(.appCalled(let calledApp, _)): calledApp == app
        case .token(.tokenChanged(let purpose, _)): purpose.app == app
        case .system, .sharing, .attribution, .notification: appEvent(for: app) != nil
        }
    }
}
