import LocalService
import NIOCore
import NIOEmbedded
import Testing

@testable import Gateway

/// Tests of the ends of providers' connections, with an embedded event loop whose time the tests advance.
@Suite struct ProviderConnectionGuardTests {
    private let connectionGuard = ProviderConnectionGuard(timeout: .seconds(45))
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: connectionGuard)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/provider")).wait()
    }

    private func beginShutdown() {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.run()
    }

    @Test func connectionWhoseProtocolIsNotKnownInTimeIsClosed() {
        channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func protocolAndHeadOfTheFirstRequestShareTheTime() {
        channel.embeddedEventLoop.advanceTime(by: .seconds(44))
        connectionGuard.recordProtocolIsKnown()
        #expect(connectionGuard.remainingTime(at: channel.eventLoop.now) == .seconds(1))
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(connectionGuard.remainingTime(at: channel.eventLoop.now) == .zero)
        #expect(channel.isActive)
    }

    @Test func connectionHasTimeToFinishAtAShutdown() {
        connectionGuard.recordProtocolIsKnown()
        beginShutdown()
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .closeTimeout)
        #expect(!channel.isActive)
    }

    @Test func silentConnectionIsClosedAtOnceAtAShutdown() throws {
        connectionGuard.recordProtocolIsKnown()
        let context = try channel.pipeline.syncOperations.context(handlerType: ProviderConnectionGuard.self)
        ProviderConnectionGuard.recordSilence(in: context)
        #expect(channel.isActive)
        beginShutdown()
        #expect(!channel.isActive)
    }
}
