internal import Foundation
internal import NIOCore

/// A handler of a listening socket that pauses for a second if the process has no descriptor left.
///
/// NIO's `AcceptBackoffHandler` delays only the next `read`. After an error of `accept`, an earlier `read` is still
/// pending, so the system reports the waiting connection again and again. Only turning off `autoRead` cancels it.
final class AcceptPauseHandler: ChannelDuplexHandler {
    typealias InboundIn = Never
    typealias OutboundIn = Never

    /// The errors after which accepting may succeed later.
    private static let transientErrors: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, ECONNABORTED]

    private static let pause = TimeAmount.seconds(1)

    private var resumption: Scheduled<Void>?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, Self.transientErrors.contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        guard resumption == nil else { return }
        setAutoRead(false, context)
        let loopBound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        resumption = context.eventLoop.scheduleTask(in: Self.pause) {
            loopBound.value.handler.resumption = nil
            loopBound.value.handler.setAutoRead(true, loopBound.value.context)
        }
    }

    func read(context: ChannelHandlerContext) {
        // At the end of the pause, the socket reads anyway.
        if resumption == nil { context.read() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        resumption?.cancel()
        resumption = nil
        context.fireChannelInactive()
    }

    private func setAutoRead(_ isOn: Bool, _ context: ChannelHandlerContext) {
        // A socket that has closed needs no option.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
