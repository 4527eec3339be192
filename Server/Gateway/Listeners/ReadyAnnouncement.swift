internal import Foundation
internal import LocalAuthority
internal import LocalService
internal import ServiceLifecycle
internal import WaypostSchema

/// Announces that the gateway is ready once every listener accepts connections: in the ready file, then to the caller.
struct ReadyAnnouncement: Service {
    let configuration: GatewayConfiguration
    let authority: AuthorityFolder?

    /// The listeners that accept connections, with their ports; `nil` for a further address of the provider listener.
    let listeners: AsyncStream<(listener: GatewayListener?, port: Int)>
    let onReady: @Sendable (GatewayReadyFile) -> Void

    func run() async throws {
        ReadyFile.remove(configuration.readyFile)
        var urls: [GatewayListener: String] = [:]
        var waitingCount = configuration.addresses.count
        for await (listener, port) in listeners.cancelOnGracefulShutdown() {
            if let listener { urls[listener] = configuration.url(of: listener, port: port) }
            waitingCount -= 1
            guard waitingCount == 0 else { continue }
            try announce(makeReadyFile(urls))
            break
        }
        try await gracefulShutdown()
    }

    private func makeReadyFile(_ urls: [GatewayListener: String]) -> GatewayReadyFile {
        GatewayReadyFile(
            service: urls[.service] ?? "",
            courier: urls[.courier] ?? "",
            provider: urls[.provider],
            providerPlaintext: urls[.providerPlaintext],
            proxy: urls[.proxy],
            ca: authority?.authorityCertificatePath,
            data: configuration.store.folder.map { URL(filePath: $0).standardizedFileURL.path }
        )
    }

    private func announce(_ readyFile: GatewayReadyFile) throws {
        do throws(ReadyFileError) {
            try ReadyFile.write(readyFile, to: configuration.readyFile)
        } catch {
            throw GatewayStartError.cannotWriteReadyFile(error)
        }
        onReady(readyFile)
    }
}
