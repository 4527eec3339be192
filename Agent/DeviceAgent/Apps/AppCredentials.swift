internal import Synchronization
internal import TextBasics
internal import WaypostSchema

/// The credentials with which app processes attach to a device: one secret per app.
final class AppCredentials: Sendable {
    private let secrets: Mutex<[BundleIdentifier: BearerSecret]>
    private let folder: DeviceFolder?

    init(_ folder: DeviceFolder?) {
        self.folder = folder
        secrets = Mutex(folder?.appCredentials ?? [:])
    }

    /// Returns the secret of an app, and creates it if there is none.
    func secret(of app: BundleIdentifier, _ sources: AgentSources) -> BearerSecret {
        secrets.withLock { secrets in
            if let secret = secrets[app] { return secret }
            let words = (0..<4).map { _ in Hexadecimal.string(sources.randomBits64()) }
            let secret = BearerSecret(rawValue: words.joined())
            secrets[app] = secret
            folder?.save(secrets)
            return secret
        }
    }

    /// Returns the app that a secret belongs to, or `nil` if there is none.
    func app(of secret: BearerSecret) -> BundleIdentifier? {
        secrets.withLock { secrets in secrets.first { $0.value == secret }?.key }
    }

    /// Removes the secrets of apps.
    func remove(_ apps: Set<BundleIdentifier>) {
        guard !apps.isEmpty else { return }
        secrets.withLock { secrets in
            for app in apps { secrets[app] = nil }
            folder?.save(secrets)
        }
    }

    /// Removes the secrets of all apps that are not in `apps`.
    func removeAll(except apps: Set<BundleIdentifier>) {
        secrets.withLock { secrets in
            let remaining = secrets.filter { apps.contains($0.key) }
            guard remaining.count < secrets.count else { return }
            secrets = remaining
            folder?.save(remaining)
        }
    }
}
