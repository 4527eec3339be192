import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import LocalService

/// Listening sockets whose process has no descriptor left.
@Suite struct AcceptPauseTests {
    /// Counts the reads that reach the socket.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never

        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private let channel = EmbeddedChannel()
    private let counter = ReadCounter()

    init() throws {
        try ServiceConnections.addAcceptPause(to: channel)
        // It is nearer to the socket.
        try channel.pipeline.syncOperations.addHandler(counter, position: .first)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/listener")).wait()
        counter.count = 0
    }

    /// Whether the socket reads by itself, as it was set last.
    private func autoRead() -> Bool? {
        channel.options.first { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM]) func socketPausesForASecond(_ code: CInt) throws {
        channel.pipeline.read()
        #expect(counter.count == 1)
        for _ in 0..<3 { channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept")) }
        #expect(autoRead() == false)
        channel.pipeline.read()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        channel.pipeline.read()
        #expect(counter.count == 1)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(autoRead() == true)
        channel.pipeline.read()
        #expect(counter.count == 2)
        try channel.throwIfErrorCaught()
    }

    @Test func otherErrorsArePassedOn() {
        channel.pipeline.fireErrorCaught(IOError(errnoCode: EBADF, reason: "accept"))
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    }
}
