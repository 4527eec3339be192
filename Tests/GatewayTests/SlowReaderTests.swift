import NIOCore
import NIOEmbedded
import Testing

@testable import Gateway

/// Who takes nothing of an answer, on a clock that the tests move.
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

    @Test func aReaderThatTakesNothingIsDroppedAfterAWhile() {
        set(isWritable: false)
        channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func aReaderThatCatchesUpInTimeStays() {
        for _ in 0..<3 {
            set(isWritable: false)
            channel.embeddedEventLoop.advanceTime(by: .seconds(44))
            set(isWritable: true)
            channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        }
        #expect(channel.isActive)
    }

    @Test(arguments: [true, false]) func aGatewayThatGoesWaitsNoLongerThanForAnybodyElse(_ isBehindBefore: Bool) {
        if isBehindBefore { set(isWritable: false) }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        if !isBehindBefore { set(isWritable: false) }
        channel.embeddedEventLoop.advanceTime(by: .closeTimeout)
        #expect(!channel.isActive)
    }
}
