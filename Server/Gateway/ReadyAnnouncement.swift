internal import Foundation
internal import ServiceLifecycle
internal import WaypostSchema

/// Says that the gateway is ready once every listener accepts connections: in the ready file, then to the caller.
struct ReadyAnnouncement: Service {
    /// A listener that accepts connections, and its port.
    enum Listener: Sendable {
        case service(port: Int)
        case courier(port: Int)
    }

    let host: String

    /// Whether the courier listener speaks TLS.
    let isCourierSecure: Bool
    let data: String?
    let readyFile: String?
    let listeners: AsyncStream<Listener>
    let onReady: @Sendable (GatewayReadyFile) -> Void

    func run() async throws {
        // One that an earlier process left would be believed.
        if let readyFile { try? FileManager.default.removeItem(atPath: readyFile) }
        var (service, courier): (Int?, Int?)
        for await listener in listeners.cancelOnGracefulShutdown() {
            switch listener {
            case .service(let port): service = port
            case .courier(let port): courier = port
            }
            guard let service, let courier else { continue }
            try announce(
                GatewayReadyFile(service: url(service), courier: url(courier, isSecure: isCourierSecure), data: data)
            )
            break
        }
        try await gracefulShutdown()
    }

    private func announce(_ ready: GatewayReadyFile) throws {
        if let readyFile { try write(ready, to: readyFile) }
        onReady(ready)
    }

    /// Writes the ready file whole or not at all, so that who waits for it never reads half of it.
    private func write(_ ready: GatewayReadyFile, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(ready).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw StartFault.cannotWriteReadyFile(path, reason: error.localizedDescription)
        }
    }

    private func url(_ port: Int, isSecure: Bool = false) -> String {
        // An IPv6 address stands in brackets in a URL (RFC 3986, 3.2.2).
        "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
