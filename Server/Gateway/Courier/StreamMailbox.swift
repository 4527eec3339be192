internal import NIOCore
internal import Synchronization

/// The signals for the streams of an event loop.
///
/// A batch signals hundreds of streams at once: all together wake the event loop once.
final class StreamMailbox: Sendable {
    typealias Signal = (stream: NIOLoopBound<EventStream>, signal: DeviceSessions.Signal)

    private let eventLoop: any EventLoop
    private let waiting = Mutex<[Signal]>([])

    init(of eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Adds a signal for a stream, which receives it on its event loop.
    func add(_ stream: NIOLoopBound<EventStream>, _ signal: DeviceSessions.Signal) {
        let isFirst = waiting.withLock { waiting in
            waiting.append((stream, signal))
            return waiting.count == 1
        }
        if isFirst { eventLoop.execute { self.deliver() } }
    }

    private func deliver() {
        let signals = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for (stream, signal) in signals { stream.value.receive(signal) }
    }
}
