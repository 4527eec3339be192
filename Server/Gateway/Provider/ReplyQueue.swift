internal import NIOCore
internal import Synchronization

/// Answers on their way to the event loop of their connection: however many there are, it is asked to look once.
final class ReplyQueue<Reply: Sendable>: Sendable {
    private let eventLoop: any EventLoop
    private let replies = Mutex<[Reply]>([])
    private let onReplies: @Sendable () -> Void

    /// Creates a queue that calls `onReplies` on the event loop when there is something in it.
    init(_ eventLoop: any EventLoop, onReplies: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.onReplies = onReplies
    }

    /// Adds a reply, from anywhere.
    func add(_ reply: Reply) {
        let isFirst = replies.withLock { replies in
            replies.append(reply)
            return replies.count == 1
        }
        if isFirst { eventLoop.execute(onReplies) }
    }

    /// Takes the replies out of the queue.
    func take() -> [Reply] {
        replies.withLock { replies in
            defer { replies = [] }
            return replies
        }
    }
}
