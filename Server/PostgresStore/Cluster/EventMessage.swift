internal import Foundation
package import GatewayStore
internal import JSONScanning
internal import PushRules
internal import WaypostSchema

/// A message of `NOTIFY`: the events that a handle sends to the others, as JSON.
package struct EventMessage: Codable {
    /// A part of a message.
    package enum Part: Sendable, Equatable {
        /// An event for all other handles.
        case event(StoreEvent)

        /// An acknowledgement that a gateway must process.
        case request(ForwardedAcknowledgement, gateway: Int)

        /// The response to a request of the handle `origin`.
        case response(origin: Int, requestID: Int, count: Int?)
    }

    /// The number of the handle that sends the message.
    package var handleNumber: Int

    private var events: [Event]

    // Gateways of earlier versions read these names.
    private enum CodingKeys: String, CodingKey {
        case handleNumber = "lane"
        case events
    }

    /// The maximum size in bytes; the server accepts less than 8,000.
    private static let sizeLimit = 7_900

    /// The maximum number of elements in a list of one event; a list in several events has the same effect.
    static let listLimit = 150

    /// An event; the members that a kind needs are present.
    private struct Event: Codable {
        enum Kind: Int, Codable {
            case changed, logged, deviceChanged, sessionOpened, pendingEnded, clockMoved, keysChanged, faultsChanged
            case reset, gap, request, response
        }

        var kind: Kind
        var namespace: Namespace?
        var nudges: [Int]?
        var rewinds: [Int]?

        /// For each removal: agent, sequence, batch, and the place of the state among all.
        var removals: [[Int]]?
        var batches: [Int]?

        /// The bounds of each range, one after the other.
        var runs: [Int]?
        var agent: Int?
        var token: DeviceToken?
        var topics: [Topic]?
        var epoch: Int?
        var batch: BatchID?
        var acknowledgement: Acknowledgement?
        var gateway: Int?
        var origin: Int?
        var requestID: Int?
        var count: Int?

        enum CodingKeys: String, CodingKey {
            case kind, namespace, nudges, rewinds, removals, batches, runs, agent, token, topics, epoch, batch
            case acknowledgement, gateway, origin
            case requestID = "question"
            case count
        }
    }

    /// Returns the messages that a handle sends.
    package static func messages(of parts: [Part], from handleNumber: Int) -> [String] {
        var (messages, pendingEvents, size) = ([String](), [Event](), 0)
        func flush() {
            guard !pendingEvents.isEmpty else { return }
            messages.append(encode(pendingEvents, handleNumber))
            (pendingEvents, size) = ([], 0)
        }
        for event in parts.flatMap(events) {
            let count = encode([event], handleNumber).utf8.count
            if size + count > sizeLimit { flush() }
            // An event that is too long for a message is missing, so the others must look at everything.
            pendingEvents.append(count > sizeLimit ? Event(kind: .gap) : event)
            size += min(count, sizeLimit)
        }
        flush()
        return messages
    }

    private static func encode(_ events: [Event], _ handleNumber: Int) -> String {
        let message = Self(handleNumber: handleNumber, events: events)
        let data = (try? JSONEncoder().encode(message)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    private init(handleNumber: Int, events: [Event]) {
        self.handleNumber = handleNumber
        self.events = events
    }

    /// Reads a message; `nil` if a newer version has written it.
    package init?(_ text: String) {
        guard let message = try? DocumentDecoder.decode(Self.self, from: text.utf8) else { return nil }
        self = message
    }

    /// The parts.
    package var parts: [Part] {
        events.map { Self.part(of: $0) ?? .event(.gap) }
    }

    private static func events(of part: Part) -> [Event] {
        switch part {
        case .event(let event): splitEvents(of: event)
        case .request(let forwarded, let gateway):
            [
                Event(
                    kind: .request,
                    namespace: forwarded.agent.namespace,
                    agent: forwarded.agent.number,
                    acknowledgement: forwarded.acknowledgement,
                    gateway: gateway,
                    origin: forwarded.origin,
                    requestID: forwarded.requestID
                )
            ]
        case .response(let origin, let requestID, let count):
            [Event(kind: .response, origin: origin, requestID: requestID, count: count)]
        }
    }

    private static func splitEvents(of event: StoreEvent) -> [Event] {
        switch event {
        case .changed(let changes, let namespace): splitEvents(of: changes, in: namespace)
        case .logged(let runs, let namespace):
            chunks(of: runs.flatMap { [$0.lowerBound, $0.upperBound] })
                .map { Event(kind: .logged, namespace: namespace, runs: $0) }
        case .deviceChanged(let agent, let token, let topics):
            [
                Event(
                    kind: .deviceChanged,
                    namespace: agent.namespace,
                    agent: agent.number,
                    token: token,
                    topics: Array(topics)
                )
            ]
        case .sessionOpened(let agent, let epoch):
            [Event(kind: .sessionOpened, namespace: agent.namespace, agent: agent.number, epoch: epoch.rawValue)]
        case .pendingEnded(let id, let namespace): [Event(kind: .pendingEnded, namespace: namespace, batch: id)]
        case .clockMoved(let namespace): [Event(kind: .clockMoved, namespace: namespace)]
        case .keysChanged: [Event(kind: .keysChanged)]
        case .faultsChanged: [Event(kind: .faultsChanged)]
        case .reset(let namespace): [Event(kind: .reset, namespace: namespace)]
        case .gap: [Event(kind: .gap)]
        // These are for this handle alone.
        case .behind, .acknowledgementForwarded, .expelled: []
        }
    }

    private static func splitEvents(of changes: StoreChanges, in namespace: Namespace) -> [Event] {
        let removals = changes.removals.map { removal in
            [
                removal.agent.number, removal.sequence, removal.batch.rawValue,
                DeliveryState.allCases.firstIndex(of: removal.state) ?? 0,
            ]
        }
        return chunks(of: changes.nudges.map(\.number)).map { Event(kind: .changed, namespace: namespace, nudges: $0) }
            + chunks(of: changes.rewinds.map(\.number)).map {
                Event(kind: .changed, namespace: namespace, rewinds: $0)
            }
            + chunks(of: removals).map { Event(kind: .changed, namespace: namespace, removals: $0) }
            + chunks(of: changes.batches.map(\.rawValue)).map {
                Event(kind: .changed, namespace: namespace, batches: $0)
            }
    }

    /// Divides a list; pairs in it stay together.
    private static func chunks<Element>(of list: [Element]) -> [[Element]] {
        stride(from: 0, to: list.count, by: listLimit).map { Array(list[$0..<min($0 + listLimit, list.count)]) }
    }

    private static func part(of event: Event) -> Part? {
        switch event.kind {
        case .request:
            guard let gateway = event.gateway, let origin = event.origin, let requestID = event.requestID,
                let agent = event.agent, let acknowledgement = event.acknowledgement
            else { return nil }
            let forwarded = ForwardedAcknowledgement(
                origin: origin,
                requestID: requestID,
                agent: AgentID(namespace: event.namespace ?? .standard, number: agent),
                acknowledgement: acknowledgement
            )
            return .request(forwarded, gateway: gateway)
        case .response:
            guard let origin = event.origin, let requestID = event.requestID else { return nil }
            return .response(origin: origin, requestID: requestID, count: event.count)
        default: return storeEvent(of: event).map(Part.event)
        }
    }

    private static func storeEvent(of event: Event) -> StoreEvent? {
        let namespace = event.namespace ?? .standard
        func agent(_ number: Int) -> AgentID { AgentID(namespace: namespace, number: number) }
        switch event.kind {
        case .changed:
            var changes = StoreChanges()
            changes.nudges = Set((event.nudges ?? []).map(agent))
            changes.rewinds = Set((event.rewinds ?? []).map(agent))
            changes.batches = Set((event.batches ?? []).map(BatchNumber.init(rawValue:)))
            for removal in event.removals ?? [] {
                guard removal.count == 4, DeliveryState.allCases.indices.contains(removal[3]) else { return nil }
                changes.removals.append(
                    StoreChanges.Removal(
                        agent: agent(removal[0]),
                        sequence: removal[1],
                        batch: BatchNumber(rawValue: removal[2]),
                        state: DeliveryState.allCases[removal[3]]
                    )
                )
            }
            return .changed(changes, in: namespace)
        case .logged:
            let bounds = event.runs ?? []
            let runs = stride(from: 0, to: bounds.count - 1, by: 2).map { bounds[$0]...max(bounds[$0], bounds[$0 + 1]) }
            return .logged(runs, in: namespace)
        case .deviceChanged:
            guard let number = event.agent, let token = event.token else { return nil }
            return .deviceChanged(agent(number), token, accepts: Set(event.topics ?? []))
        case .sessionOpened:
            guard let number = event.agent, let epoch = event.epoch else { return nil }
            return .sessionOpened(agent(number), SessionEpoch(rawValue: epoch))
        case .pendingEnded: return event.batch.map { .pendingEnded($0, in: namespace) }
        case .clockMoved: return .clockMoved(namespace)
        case .keysChanged: return .keysChanged
        case .faultsChanged: return .faultsChanged
        case .reset: return .reset(namespace)
        case .gap: return .gap
        case .request, .response: return nil
        }
    }
}
