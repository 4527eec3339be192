internal import WaypostSchema

/// The outcome of an event in an app.
package enum EventFate: String, Sendable, Encodable {
    /// The cause has no event.
    case noEvent

    /// The app receives the event once.
    case once

    /// The app receives the event twice, and does not remove the duplicate.
    case twice

    /// The app does not receive the event.
    case lost

    /// The app file does not say enough.
    case unknown
}

extension CallbackSequence {
    /// The calls with the event that the app handles, or may handle.
    package var deliveries: [CallbackStep] {
        eventSteps.filter { $0.isHandled != false }
    }

    /// Whether the app receives the event.
    package var fate: EventFate {
        guard case .calls = outcome, cause.hasEvent else { return .noEvent }
        guard let first = eventSteps.first else { return .lost }
        guard eventSteps.allSatisfy({ $0.isHandled != nil }) else { return .unknown }
        switch deliveries.count {
        case 0: return .lost
        case 1: return .once
        default:
            guard let duplicates = app.deduplicates else { return .unknown }
            let values = [first.argument?.option, cause.option].compactMap { $0 }
            return values.contains { duplicates.contains($0) } ? .once : .twice
        }
    }

    /// The calls with the event that are made in the ordinary case.
    package var eventSteps: [CallbackStep] {
        ordinarySteps.filter { $0.part == .event || $0.part == .repetition }
    }

    /// The calls that are made in the ordinary case: those without a condition, or with one that holds.
    package var ordinarySteps: [CallbackStep] {
        steps.filter { $0.condition?.holds(for: app) ?? true }
    }
}
