internal import GatewayStore
internal import Logging
internal import Synchronization

/// The administrative token, which another one replaces when its file changes.
///
/// The earlier token stays valid for a minute, so that programs that have read it can read the file again. A file
/// that is missing or has no token changes nothing.
final class AdminTokenRotation: Sendable {
    /// The time for which the earlier token stays valid.
    static let overlap = Duration.seconds(60)

    /// The maximum time between two reads of the file while requests come.
    private static let readInterval = Duration.seconds(1)

    private struct State {
        var current: AdminToken
        var earlier: AdminToken?
        var earlierEnd: ContinuousClock.Instant
        var lastRead: ContinuousClock.Instant

        /// Whether the file had a token at the last read; a problem is logged once.
        var hasUsableFile = true

        func accepts(_ string: String, at now: ContinuousClock.Instant) -> Bool {
            let isEarlier = now < earlierEnd && earlier?.matches(string) == true
            return current.matches(string) || isEarlier
        }
    }

    /// The location of the token, for messages to the user.
    let location: String

    private let file: AdminTokenFile?
    private let logger: Logger
    private let state: Mutex<State>

    /// Begins with a token that was just read.
    init(_ token: AdminToken, logger: Logger, at now: ContinuousClock.Instant = .now) {
        location = token.location
        file = token.file
        self.logger = logger
        state = Mutex(State(current: token, earlierEnd: now, lastRead: now))
    }

    /// Whether `string` is the token or, for a minute, the earlier one; both are compared in constant time.
    func matches(_ string: String, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            // The earlier token must end even if no program uses the new one.
            if state.lastRead.duration(to: now) >= Self.readInterval { read(&state, at: now) }
            if state.accepts(string, at: now) { return true }
            // The file may have changed since it was read.
            read(&state, at: now)
            return state.accepts(string, at: now)
        }
    }

    private func read(_ state: inout State, at now: ContinuousClock.Instant) {
        guard let file else { return }
        state.lastRead = now
        do throws(GatewayStartError) {
            guard let line = try file.read() else { return }
            guard let token = AdminToken(line, location: location, file: file) else {
                throw GatewayStartError.cannotUseAdminToken("\(file.path) must contain 64 hexadecimal digits")
            }
            state.hasUsableFile = true
            guard token.digest != state.current.digest else { return }
            (state.earlier, state.earlierEnd) = (state.current, now.advanced(by: Self.overlap))
            state.current = token
            logger.notice("the administrative token was replaced; the earlier one is valid for a minute")
        } catch {
            guard state.hasUsableFile else { return }
            state.hasUsableFile = false
            logger.warning("the administrative token stays as it was", metadata: ["reason": "\(error)"])
        }
    }
}
