import NIOCore
import NIOEmbedded
import Testing

@testable import LocalService

/// Tests of clients that read nothing of an answer, with an embedded event loop whose time the tests advance.
@Suite struct SlowReaderTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: SlowReaderHandler(timeout: .seconds(45)))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/reader")).wait()
    }

    private func set(isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    @Test func stalledReaderIsDisconnectedAfterTheTimeout() {
        set(isWritable: false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func readerThatCatchesUpInTimeStaysConnected() {
        for _ in 0..<3 {
            set(isWritable: false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(44))
            set(isWritable: true)
            channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        }
        #expect(channel.isActive)
    }

    @Test(arguments: [true, false]) func shutdownWaitsForAStalledReaderOnlyUntilTheCloseTimeout(_ isBehindBefore: Bool)
    {
        if isBehindBefore { set(isWritable: false) }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        if !isBehindBefore { set(isWritable: false) }
        channel.embeddedEventLoop.advanceTime(by: .closeTimeout)
        #expect(!channel.isActive)
    }
}
