internal import Foundation
internal import LocalAuthority
internal import LocalService
internal import ServiceLifecycle
internal import WaypostSchema

/// The listeners of a gateway.
package enum GatewayListener: Sendable, CaseIterable {
    /// The listener for batches, devices and the log.
    case service

    /// The listener for devices.
    case courier

    /// The listener for APNs clients, with TLS.
    case provider

    /// The listener for APNs clients, without TLS.
    case providerPlaintext

    /// The proxy for clients that try to connect to Apple.
    case proxy
}

extension GatewayConfiguration {
    /// The addresses of the configured listeners.
    var listeners: [GatewayListener: ListenAddress] {
        var listeners: [GatewayListener: ListenAddress] = [.service: service, .courier: courier]
        listeners[.provider] = provider
        listeners[.providerPlaintext] = providerPlaintext
        listeners[.proxy] = proxy
        return listeners
    }

    /// Returns the URL of a listener that got `port`.
    func url(of listener: GatewayListener, port: Int) -> String? {
        guard var address = listeners[listener] else { return nil }
        if address.isWildcard, let name = allowedHosts.first { address.host = name }
        return address.url(port: port, isSecure: isSecure(listener))
    }

    private func isSecure(_ listener: GatewayListener) -> Bool {
        switch listener {
        case .service: serviceTLS != nil
        case .courier: courierTLS != nil
        case .provider: true
        case .providerPlaintext, .proxy: false
        }
    }
}

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
            data: configuration.store.folder.map { URL(filePath: $0).standardizedFileURL.path }
        )
    }

    private func announce(_ ready: GatewayReadyFile) throws {
        do throws(ReadyFileError) {
            try ReadyFile.write(ready, to: configuration.readyFile)
        } catch {
            throw GatewayStartError.cannotWriteReadyFile(error)
        }
        onReady(ready)
    }
}
