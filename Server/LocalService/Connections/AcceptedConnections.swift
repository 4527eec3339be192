internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes

/// HTTP/1.1 on connections that a server accepts, and may end without serving.
struct AcceptedConnections: ServerChildChannel {
    /// A connection that closes when its last reference is released.
    ///
    /// A server that ends drops the connections that it has accepted and not yet served. NIO stops the process if an
    /// open channel is released, so this value keeps the channel until it has closed.
    final class Connection: ServerChildChannelValue {
        fileprivate let http: HTTP1Channel.Value

        fileprivate init(_ http: HTTP1Channel.Value) {
            self.http = http
            http.channel.closeFuture.whenComplete { _ in withExtendedLifetime(http) {} }
        }

        deinit {
            http.channel.close(promise: nil)
        }

        var channel: any Channel {
            http.channel
        }
    }

    let http: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
        http.setup(channel: channel, logger: logger).map(Connection.init)
    }

    func handle(value connection: Connection, logger: Logger) async {
        await http.handle(value: connection.http, logger: logger)
    }
}
