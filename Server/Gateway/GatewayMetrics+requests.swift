internal import CoreMetrics
internal import HTTPTypes

extension GatewayMetrics {
    /// Counts a request to the service listener.
    ///
    /// - Parameters:
    ///   - method: its method; one that is in no standard is `other`.
    ///   - route: the pattern of the path that answered; `nil` where none did.
    ///   - status: the status of the answer.
    ///   - duration: how long the answer took.
    func noteRequest(
        _ method: HTTPRequest.Method,
        _ route: String?,
        _ status: HTTPResponse.Status,
        _ duration: Duration
    ) {
        let name = Self.methods.contains(method) ? method.rawValue : LabelLimit.other
        // The web framework has words of its own for what no pattern answers.
        let pattern = route.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? LabelLimit.other
        let labels = [("method", name), ("route", pattern)]
        Counter(.requests, labels + [("status", "\(status.code)")], factory).increment()
        Timer(.requestDuration, labels, factory).record(duration: duration)
    }

    /// The methods of RFC 9110 and RFC 5789.
    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
    ]
}
