/// A request that is coming in.
struct IncomingRequest {
    /// The fields that have come.
    var fields: [HTTP2Field] = []

    /// What they have of the header list's limit.
    var headerBytes = 0

    /// The moment at which it began.
    var moment: Int

    /// What has come of the body.
    var body: [UInt8] = []

    /// The bytes of it that are kept.
    var size: Int {
        headerBytes + body.count
    }
}
