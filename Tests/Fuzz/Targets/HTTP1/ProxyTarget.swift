import LocalService
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import Gateway

extension FuzzTarget {
    /// A byte for the size of the pieces, and the bytes of a client of the proxy.
    static let proxy = FuzzTarget(
        name: "proxy",
        summary: "HTTP/1.1 of the proxy; one response, and a tunnel only to Apple's hosts"
    ) { bytes in
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let services = FuzzGateway.services
        let whole = EmbeddedConnection.output(for: input, pieceSize: max(1, input.count)) { channel in
            try addProxyHandlers(to: channel, services)
        }
        let pieces = EmbeddedConnection.output(for: input, pieceSize: Int(first) + 1) { channel in
            try addProxyHandlers(to: channel, services)
        }
        let statuses = ResponseText(whole.bytes).statuses
        promise(whole == pieces, "the response is the same in pieces", found: (whole, pieces))
        promise(statuses.count <= 1, "there is one response", found: statuses)
        guard statuses == [200] else { return }
        let text = String(decoding: input, as: UTF8.self).lowercased()
        promise(text.contains(".push.apple.com:"), "a tunnel is to a host of Apple", found: text)
    }

    private static func addProxyHandlers(to channel: EmbeddedChannel, _ services: GatewayServices) throws {
        let pipeline = channel.pipeline.syncOperations
        let limits = ProviderLimits(FuzzGateway.configuration, limiter: services.limiter)
        try pipeline.addHandler(ProviderConnectionGuard(timeout: limits.requestTimeout))
        try pipeline.addHandler(SlowReaderHandler(timeout: limits.requestTimeout * 3))
        let security = try ListenerSecurity(nil, protocols: [])
        let securePipeline = SecureProviderPipeline(security, services.requestHandler, limits: limits)
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: RequestHeadLimit.decoder)
        )
        try pipeline.addHandlers([decoder, ConnectHandler(securePipeline, decoder)])
    }
}
