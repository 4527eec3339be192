import NIOCore
import NIOEmbedded

/// A connection without a socket, with the handlers of a listener.
enum EmbeddedConnection {
    /// Returns what a client reads that sends bytes in pieces, and whether the connection is open then.
    ///
    /// - Parameters:
    ///   - input: the bytes of the client.
    ///   - pieceSize: the maximum size of a piece.
    ///   - addHandlers: adds the handlers of the listener to the channel.
    /// - Returns: the bytes, and whether the connection is open.
    static func output(
        for input: [UInt8],
        pieceSize: Int,
        _ addHandlers: (EmbeddedChannel) throws -> Void
    ) -> (bytes: [UInt8], isOpen: Bool) {
        let channel = EmbeddedChannel()
        let recorder = OutputRecorder()
        do {
            try channel.pipeline.syncOperations.addHandler(recorder)
            try addHandlers(channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 7_331)).wait()
        } catch {
            endUnprepared("the handlers of a connection cannot be added: \(error)")
        }
        for start in stride(from: 0, to: input.count, by: pieceSize) where channel.isActive {
            // Errors reach the end of the pipeline if no handler answers them.
            _ = try? channel.writeInbound(ByteBuffer(bytes: input[start..<min(start + pieceSize, input.count)]))
            channel.embeddedEventLoop.run()
        }
        let isOpen = channel.isActive
        _ = try? channel.finish(acceptAlreadyClosed: true)
        return (recorder.bytes, isOpen)
    }
}

/// The handler next to the network, which records what is written until the connection closes.
private final class OutputRecorder: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var bytes: [UInt8] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard context.channel.isActive else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        bytes += unwrapOutboundIn(data).readableBytesView
        promise?.succeed(())
    }
}
