internal import HTTP2Sessions

extension SentRequest.Content {
    /// The maximum number of bytes of a body that are kept.
    ///
    /// The largest payload has 5,120; a payload that is a little too large is kept as a whole, too.
    private static let maximumBodySize = 6_144

    /// Copies the headers and the body of a request; the credentials are not among them.
    init(of request: ProviderRequest) {
        let fields = request.fields.filter { $0.name.hasPrefix("apns-") || $0.name == "host" }
        headers = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        body =
            request.isBodyTooLong ? nil : String(decoding: request.body.prefix(Self.maximumBodySize), as: UTF8.self)
    }
}
