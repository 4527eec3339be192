internal import HTTP2Sessions

extension SentRequest.Content {
    /// The maximum number of bytes of a body that are kept: the size of the largest payload.
    private static let maximumBodySize = 5_120

    /// Copies the headers and the body of a request; the credentials are not among them.
    init(of request: ProviderRequest) {
        let fields = request.fields.filter { $0.name.hasPrefix("apns-") || $0.name == "host" }
        headers = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        body =
            request.isBodyTooLong ? nil : String(decoding: request.body.prefix(Self.maximumBodySize), as: UTF8.self)
    }
}
