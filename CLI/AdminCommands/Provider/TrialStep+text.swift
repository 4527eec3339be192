internal import ProviderTrials
internal import WaypostSchema

extension TrialStep {
    /// The step in a few words, for a timeline.
    var text: String {
        switch self {
        case .load(let load), .begin(let load):
            Self.count(load.messages, "message") + " to " + Self.count(min(load.messages, load.devices.count), "token")
        case .settle(let seconds): "wait for the answers, at most \(Self.span(seconds))"
        case .awaitRequests(let count): "wait for requests with " + Self.count(count, "message")
        case .inject(let fault, let devices, _):
            "fault '\(fault.kind.rawValue)'\(Self.answer(fault.reason, status: fault.status)) for "
                + (devices.map { Self.count($0.count, "token") } ?? "all tokens")
        case .removeFaults: "all faults are removed"
        case .affectConnections(let fault): Self.text(fault)
        case .advance(let seconds): "the clocks advance by \(Self.span(seconds))"
        case .skew(let seconds):
            "the provider's clock moves \(seconds < 0 ? "back" : "forward") by \(Self.span(abs(seconds)))"
        case .pause(let seconds): "a pause of \(Self.span(seconds))"
        case .restart(.first): "the gateway starts again"
        case .restart(.second): "the gateway has a certificate of another authority"
        }
    }

    private static func text(_ fault: ConnectionFault) -> String {
        let reason = answer(fault.reason, status: fault.status)
        return switch fault.kind {
        case .goAway: (fault.frames ?? 1) > 1 ? "GOAWAY\(reason), \(fault.frames ?? 1) times" : "GOAWAY\(reason)"
        case .silence: "the connections become silent"
        case .limitStreams: fault.streams.map { "limit of " + count($0, "stream") } ?? "usual limit of streams"
        case .respond: "every request on the connections gets\(reason)"
        }
    }

    /// Returns the reason after a space, or the status of an answer without one; nothing if there is neither.
    private static func answer(_ reason: RejectionReason?, status: Int?) -> String {
        reason.map { " \($0)" } ?? status.map { " \($0) without a body" } ?? ""
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func span(_ seconds: Int) -> String {
        switch seconds {
        case let seconds where seconds >= 3_600 && seconds.isMultiple(of: 3_600): "\(seconds / 3_600) h"
        case let seconds where seconds >= 60 && seconds.isMultiple(of: 60): "\(seconds / 60) min"
        default: "\(seconds) s"
        }
    }
}
