internal import HTTPTypes
internal import Logging
internal import WaypostSchema

/// The trace that a request belongs to (W3C Trace Context).
struct RequestTrace: Sendable, Equatable {
    /// The name of the header.
    static let header = "traceparent"

    /// The trace of the request that is being handled, for the log.
    @TaskLocal static var current: TraceParent?

    /// The place in the trace; `nil` if the request has no valid header.
    let parent: TraceParent?

    /// The finding about a header that is not valid.
    ///
    /// A request is never refused for it: section 3.2 requires that it is ignored.
    let finding: NotificationFinding?

    /// Reads the value of the header; `nil` if it is missing.
    init(_ header: String?) {
        parent = header.flatMap(TraceParent.init(header:))
        guard header != nil, parent == nil else {
            finding = nil
            return
        }
        finding = NotificationFinding(
            code: .invalidTraceparent,
            message:
                "the traceparent is ignored; it must be 00-<trace: 32 digits>-<parent: 16 digits>-<flags: 2 digits>, "
                + "in lowercase hexadecimal digits"
        )
    }
}

extension TraceParent {
    /// The fields of a line of the log, with the names of OpenTelemetry ("Trace Context in non-OTLP Log Formats").
    var metadata: Logger.Metadata {
        ["trace_id": "\(traceID)", "span_id": "\(spanID)"]
    }
}

extension HTTPField.Name {
    static let traceparent: Self = {
        guard let name = Self(RequestTrace.header) else { preconditionFailure("traceparent is a token of RFC 9110") }
        return name
    }()
}
