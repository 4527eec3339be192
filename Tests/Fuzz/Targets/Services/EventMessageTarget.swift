import GatewayStore
import PostgresStore
import WaypostSchema

extension FuzzTarget {
    /// A message of `NOTIFY`.
    static let eventMessages = FuzzTarget(
        name: "event-messages",
        summary: "messages between gateways; the events are the same in the messages that are written of them"
    ) { bytes in
        guard let message = EventMessage(String(decoding: bytes, as: UTF8.self)) else { return }
        let messages = EventMessage.messages(of: message.parts, from: message.handleNumber)
        let read = messages.compactMap { EventMessage($0) }
        promise(messages.allSatisfy { $0.utf8.count < 8_000 }, "the server accepts each message", found: messages)
        promise(read.count == messages.count, "a message can be read", found: messages)
        promise(read.allSatisfy { $0.handleNumber == message.handleNumber }, "a message has its sender")
        let parts = read.flatMap(\.parts)
        // An event that is too long is written as a gap.
        guard !parts.contains(.event(.gap)) else { return }
        promise(
            MessageContents(parts) == MessageContents(message.parts),
            "events are the same after their messages",
            found: (message.parts, parts)
        )
    }
}

/// The contents of messages, in which long events may be divided.
private struct MessageContents: Equatable {
    private var changes: [Namespace: StoreChanges] = [:]
    private var runs: [Namespace: [ClosedRange<Int>]] = [:]
    private var others: [EventMessage.Part] = []

    init(_ parts: [EventMessage.Part]) {
        for part in parts {
            switch part {
            case .event(.changed(let other, let namespace)):
                var sum = changes[namespace] ?? StoreChanges()
                sum.append(other)
                if sum != StoreChanges() { changes[namespace] = sum }
            case .event(.logged(let other, let namespace)):
                if !other.isEmpty { runs[namespace, default: []] += other }
            default: others.append(part)
            }
        }
    }
}
