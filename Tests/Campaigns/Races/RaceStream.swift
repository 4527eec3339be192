import Foundation
import GatewayClient
import Synchronization
import WaypostSchema

/// One of several event streams of an agent, which acknowledges nothing itself.
final class RaceStream: Sendable {
    private struct State {
        var isOpen = false
        var hasEnded = false
        var end: String?
        var notifications: [Int: NotificationID] = [:]
    }

    private let state = Mutex(State())

    /// Whether the stream is open.
    var isOpen: Bool {
        state.withLock { $0.isOpen && !$0.hasEnded }
    }

    /// Whether the stream has ended, or was not opened.
    var hasEnded: Bool {
        state.withLock(\.hasEnded)
    }

    /// The reason for the end: of the gateway, or the error of the connection.
    var end: String? {
        state.withLock(\.end)
    }

    /// The identifiers of the notifications that arrived, by sequence.
    var notifications: [Int: NotificationID] {
        state.withLock(\.notifications)
    }

    /// Opens the stream, and reads it until it ends or the task is canceled.
    func follow(_ client: GatewayClient, with secret: BearerSecret) async {
        do {
            try await client.follow(with: secret) {
                state.withLock { $0.isOpen = true }
            } handle: { events in
                for event in events { try receive(event) }
                return []
            }
        } catch {
            state.withLock { $0.end = $0.end ?? "\(error)" }
        }
        state.withLock { $0.hasEnded = true }
    }

    private func receive(_ event: ServerSentEvent) throws {
        let data = Data(event.data.utf8)
        switch event.type {
        case "notification":
            let notification = try JSONDecoder().decode(DeliveredNotification.self, from: data)
            state.withLock { $0.notifications[notification.sequence] = notification.id }
        case "end":
            let end = try JSONDecoder().decode(StreamEnd.self, from: data)
            state.withLock { $0.end = end.reason.rawValue }
        default: break
        }
    }
}
