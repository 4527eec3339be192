internal import Foundation
internal import LocalAuthority
internal import ServiceLifecycle
internal import WaypostSchema

/// Says that the gateway is ready once every listener accepts connections: in the ready file, then to the caller.
struct ReadyAnnouncement: Service {
    let configuration: GatewayConfiguration
    let authority: AuthorityFolder?
    let listeners: AsyncStream<(listener: GatewayListener, port: Int)>
    let onReady: @Sendable (GatewayReadyFile) -> Void

    func run() async throws {
        // One that an earlier process left would be believed.
        if let readyFile = configuration.readyFile { try? FileManager.default.removeItem(atPath: readyFile) }
        var urls: [GatewayListener: String] = [:]
        for await (listener, port) in listeners.cancelOnGracefulShutdown() {
            urls[listener] = configuration.url(of: listener, port: port)
            guard urls.count == configuration.listeners.count else { continue }
            try announce(ready(urls))
            break
        }
        try await gracefulShutdown()
    }

    private func ready(_ urls: [GatewayListener: String]) -> GatewayReadyFile {
        GatewayReadyFile(
            service: urls[.service] ?? "",
            courier: urls[.courier] ?? "",
            provider: urls[.provider],
            providerPlaintext: urls[.providerPlaintext],
            proxy: urls[.proxy],
            ca: authority?.authorityCertificate,
            data: configuration.store.folder
        )
    }

    private func announce(_ ready: GatewayReadyFile) throws {
        if let readyFile = configuration.readyFile { try write(ready, to: readyFile) }
        onReady(ready)
    }

    /// Writes the ready file whole or not at all, so that who waits for it never reads half of it.
    private func write(_ ready: GatewayReadyFile, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(ready).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw GatewayStartError.cannotWriteReadyFile(path, reason: error.localizedDescription)
        }
    }
}
