package import HummingbirdCore
package import NIOCore

/// The connections of a service on the web framework.
package enum ServiceConnections {
    /// The time-out for the head of a request.
    package static let requestTimeout = TimeAmount.seconds(15)

    /// The time for which a client may read nothing of a response.
    package static let stallTimeout = TimeAmount.seconds(45)

    /// Returns a server for HTTP/1.1 that closes the connections of clients that do not go on.
    ///
    /// - Parameters:
    ///   - requestTimeout: the time-out for the head of a request.
    ///   - stallTimeout: the time for which a client may read nothing of a response.
    ///   - handlers: further handlers of a connection.
    /// - Returns: the server.
    package static func server(
        requestTimeout: TimeAmount = requestTimeout,
        stallTimeout: TimeAmount = stallTimeout,
        _ handlers: @escaping @Sendable () -> [any RemovableChannelHandler] = { [] }
    ) -> HTTPServerBuilder {
        .http1(
            configuration: .init(
                additionalChannelHandlers: handlers() + [
                    SlowReaderHandler(timeout: stallTimeout), RequestDeadlineHandler(timeout: requestTimeout),
                    ConnectionEndHandler(), TransferCodingInstaller(),
                ]
            )
        )
    }

    /// Lets the socket of a listener pause if no descriptor is left, rather than try again at once.
    package static func backOff(_ listener: any Channel) async {
        // If the listener has closed meanwhile, there is nothing to pause.
        try? await listener.eventLoop.submit {
            try listener.pipeline.syncOperations.addHandler(
                AcceptBackoffHandler(shouldForwardIOErrorCaught: false),
                position: .first
            )
        }.get()
    }
}
