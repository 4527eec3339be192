internal import DeviceModel
internal import Synchronization
internal import WaypostSchema

/// The attached processes of a device's apps, at most one for each app and one for its service extension.
final class AppProcesses: Sendable {
    private struct State {
        var attached: [Program: Attachment] = [:]
        var reasons: [Int: DetachReason] = [:]
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
        let effects: AsyncStream<DeviceEffect>

        fileprivate let number: Int
    }

    private let followers: EffectFollowers
    private let state = Mutex(State())

    init(_ followers: EffectFollowers) {
        self.followers = followers
    }

    /// The apps with an attached process; one of a service extension does not count.
    var running: Set<BundleIdentifier> {
        state.withLock { Set($0.attached.keys.filter { $0.role == .app }.map(\.app)) }
    }

    /// Attaches a process of an app; the previous process of the same program receives nothing more.
    func attach(_ app: BundleIdentifier, as role: AppProcess.Role) -> Attachment {
        let (number, effects) = followers.follow { $0.mayConcern(app) }
        let program = Program(app: app, role: role)
        let attachment = Attachment(program: program, effects: effects, number: number)
        let previous = state.withLock { state in
            let previous = state.attached.updateValue(attachment, forKey: program)
            if let previous { state.reasons[previous.number] = .replaced }
            return previous
        }
        if let previous { followers.end(previous.number) }
        return attachment
    }

    /// Returns whether a process is still attached.
    func isAttached(_ attachment: Attachment) -> Bool {
        state.withLock { $0.attached[attachment.program]?.number == attachment.number }
    }

    /// Detaches the processes of an app, or only one of a program.
    func end(_ app: BundleIdentifier, _ role: AppProcess.Role? = nil, for reason: DetachReason) {
        let previous = state.withLock { state in
            let previous = state.attached.values.filter { $0.app == app && (role == nil || $0.program.role == role) }
            for attachment in previous {
                state.attached[attachment.program] = nil
                state.reasons[attachment.number] = reason
            }
            return previous
        }
        for attachment in previous { followers.end(attachment.number) }
    }

    /// Removes a process that receives nothing more, or has disconnected.
    ///
    /// - Returns: the reason why the agent detached the process, or `nil` if it did not.
    @discardableResult
    func detach(_ attachment: Attachment) -> DetachReason? {
        followers.end(attachment.number)
        return state.withLock { state in
            if state.attached[attachment.program]?.number == attachment.number {
                state.attached[attachment.program] = nil
            }
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
        case .scene, .system(.deviceRestored), .attribution(.conversationPresented),
            .attribution(.disambiguationPresented), .attribution(.contentReturned):
            true
        case .notification(.appCalled(let called, _)): called == app
        case .system, .sharing, .attribution, .notification: event(for: app) != nil
        }
    }
}
