internal import Foundation
internal import GatewayStore
internal import LocalFiles
internal import Logging
internal import Synchronization

/// The administrative token; a change of its file replaces it.
///
/// The earlier token stays valid for a minute after the change, so that programs that have read it can read the file
/// again. A file that is missing or has no token changes nothing.
final class AdminTokenRotation: Sendable {
    /// The time for which the earlier token stays valid after the change of the file.
    static let overlap = Duration.seconds(60)

    /// The maximum time between two checks of the file while requests with a token come.
    private static let checkInterval = Duration.seconds(1)

    /// A time on the clock of the process, and on that of the files.
    struct Time: Sendable {
        let instant: ContinuousClock.Instant

        /// The time since 1970.
        let fileTime: Duration

        /// The current time.
        static var now: Self {
            Self(instant: .now, fileTime: .seconds(Date().timeIntervalSince1970))
        }

        /// Returns a later time.
        func advanced(by duration: Duration) -> Self {
            Self(instant: instant.advanced(by: duration), fileTime: fileTime + duration)
        }
    }

    private struct State {
        var current: SecretDigest
        var earlier: SecretDigest?
        var earlierEnd: ContinuousClock.Instant
        var lastCheck: ContinuousClock.Instant

        func accepts(_ digest: SecretDigest, at now: ContinuousClock.Instant) -> Bool {
            let isEarlier = earlier.map { $0 == digest } ?? false
            return current == digest || isEarlier && now < earlierEnd
        }
    }

    /// The last look at the file.
    private struct Reading {
        /// The version of the file whose token was read last.
        var version: FileVersion?

        /// Whether the file had a token; a problem is logged once.
        var hasUsableFile = true
    }

    /// The location of the token, for messages to the user.
    let location: String

    private let file: AdminTokenFile?
    private let logger: Logger
    private let state: Mutex<State>

    /// Only one request reads the file, and the other ones do not wait for it.
    private let reading = Mutex(Reading())

    /// Begins with a token that was just read.
    init(_ token: AdminToken, logger: Logger, at now: Time) {
        location = token.location
        file = token.file
        self.logger = logger
        state = Mutex(State(current: token.digest, earlierEnd: now.instant, lastCheck: now.instant))
    }

    /// Whether `string` is the token or, for a minute, the earlier one; both are compared in constant time.
    ///
    /// A provider token does not have the form of the administrative one, and costs nothing.
    func matches(_ string: some StringProtocol, at now: Time) -> Bool {
        guard let digest = AdminToken.digest(of: string) else { return false }
        // The earlier token must end even if no program uses the new one.
        if isCheckDue(at: now) { reloadToken(at: now) }
        if accepts(digest, at: now) { return true }
        // The file may have changed since it was checked.
        reloadToken(at: now)
        return accepts(digest, at: now)
    }

    private func accepts(_ digest: SecretDigest, at now: Time) -> Bool {
        state.withLock { $0.accepts(digest, at: now.instant) }
    }

    private func isCheckDue(at now: Time) -> Bool {
        state.withLock { state in
            guard state.lastCheck.duration(to: now.instant) >= Self.checkInterval else { return false }
            state.lastCheck = now.instant
            return true
        }
    }

    /// Reads the file if it is another version than the one that was read last.
    private func reloadToken(at now: Time) {
        guard let file else { return }
        reading.withLock { reloadToken(in: file, &$0, at: now) }
    }

    private func reloadToken(in file: AdminTokenFile, _ reading: inout Reading, at now: Time) {
        let version = FileVersion(of: file.path)
        guard version == nil || version != reading.version else { return }
        do throws(GatewayStartError) {
            guard let contents = try file.read() else { throw file.noTokenError }
            let token = try file.token(in: contents, location: location)
            reading = Reading(version: contents.version)
            replaceToken(with: token.digest, changedAt: contents.version.changeTime, now: now)
        } catch {
            guard reading.hasUsableFile else { return }
            reading.hasUsableFile = false
            logger.warning("the administrative token is unchanged", metadata: ["reason": "\(error)"])
        }
    }

    private func replaceToken(with digest: SecretDigest, changedAt changeTime: Duration, now: Time) {
        // If no request came, the change may be long ago. If the clock was set back, it seems to be in the future.
        let age = max(.zero, now.fileTime - changeTime)
        let remaining = max(.zero, Self.overlap - age)
        let isReplaced = state.withLock { state in
            guard state.current != digest else { return false }
            (state.earlier, state.earlierEnd) = (state.current, now.instant.advanced(by: remaining))
            state.current = digest
            return true
        }
        guard isReplaced else { return }
        logger.notice("the administrative token was replaced; the earlier one ends a minute after that")
    }
}
