package import HummingbirdCore
package import NIOCore

/// The connections of a service on the web framework.
package enum ServiceConnections {
    /// The time-out for the head of a request.
    package static let requestTimeout = TimeAmount.seconds(15)

    /// The time for which a client may read nothing of a response.
    package static let stallTimeout = TimeAmount.seconds(45)

    /// Returns a server for HTTP/1.1 that closes the connections of clients that stall.
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
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: handlers() + [
                SlowReaderHandler(timeout: stallTimeout), RequestDeadlineHandler(timeout: requestTimeout),
                ConnectionEndHandler(), RequestHeadInstaller(),
            ],
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: RequestHeadLimit.size,
                maxHeaderListSize: RequestHeadLimit.size,
                maxHeaderFieldCount: RequestHeadLimit.headerCount
            )
        )
        return HTTPServerBuilder { responder in
            AcceptedConnections(http: HTTP1Channel(responder: responder, configuration: configuration))
        }
    }

    /// Lets a listening socket pause if no descriptor is left, rather than try again at once.
    ///
    /// - Parameter listener: the channel of the socket; call it on the event loop of the channel.
    /// - Throws: an error of NIO if the channel has closed.
    package static func addAcceptPause(to listener: any Channel) throws {
        try listener.pipeline.syncOperations.addHandler(AcceptPauseHandler(), position: .first)
    }

    /// Lets a listening socket pause, from any thread.
    package static func addAcceptPause(toRunning listener: any Channel) async {
        // If the listener has closed meanwhile, there is nothing to pause.
        try? await listener.eventLoop.submit { try addAcceptPause(to: listener) }.get()
    }
}
