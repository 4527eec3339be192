internal import Foundation
internal import LocalAuthority
internal import LocalService
internal import ServiceLifecycle
internal import WaypostSchema

/// Announces that the gateway is ready once every listener accepts connections: in the ready file, then to the caller.
struct ReadyAnnouncement: Service {
    let configuration: GatewayConfiguration
    let authority: AuthorityFolder?
    let listeners: AsyncStream<(listener: GatewayListener, port: Int)>
    let onReady: @Sendable (GatewayReadyFile) -> Void

    func run() async throws {
        ReadyFile.remove(configuration.readyFile)
        var urls: [GatewayListener: String] = [:]
        for await (listener, port) in listeners.cancelOnGracefulShutdown() {
            urls[listener] = configuration.url(of: listener, port: port)
            guard urls.count == configuration.listeners.count else { continue }
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
