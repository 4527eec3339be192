import LocalService
import NIOCore
import NIOEmbedded

@testable import Gateway

extension FuzzTarget {
    /// A byte for the size of the pieces, and the bytes of a provider on the listener without TLS.
    static let provider = FuzzTarget(
        name: "provider",
        summary: "HTTP/1.1 and HTTP/2 of providers; the same responses to pieces of any size"
    ) { bytes in
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let services = FuzzGateway.services
        let whole = EmbeddedConnection.output(for: input, pieceSize: max(1, input.count)) { channel in
            try addProviderHandlers(to: channel, services)
        }
        // In HTTP/2, the sizes of frames depend on the pieces; the target `frames` checks them.
        guard !input.starts(with: FrameConversation.preface.prefix(24)) else { return }
        let pieces = EmbeddedConnection.output(for: input, pieceSize: Int(first) + 1) { channel in
            try addProviderHandlers(to: channel, services)
        }
        // Responses have identifiers of their own.
        let statuses = (ResponseText(whole.bytes).statuses, ResponseText(pieces.bytes).statuses)
        promise(statuses.0 == statuses.1, "the responses are the same in pieces", found: statuses)
        promise(whole.isOpen == pieces.isOpen, "the end is the same in pieces", found: (statuses, whole.isOpen))
    }

    private static func addProviderHandlers(to channel: EmbeddedChannel, _ services: GatewayServices) throws {
        let pipeline = channel.pipeline.syncOperations
        let limits = ProviderLimits(FuzzGateway.configuration, limiter: services.limiter)
        try pipeline.addHandler(ProviderConnectionGuard(timeout: limits.requestTimeout))
        try pipeline.addHandler(SlowReaderHandler(timeout: limits.requestTimeout * 3))
        try pipeline.addHandler(PrefaceHandler(services.requestHandler, limits))
    }
}
