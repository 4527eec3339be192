/// An incomplete request.
struct IncomingRequest {
    /// The header fields received so far.
    var fields: [HTTP2Field] = []

    /// The bytes that count toward the limit of the header list.
    var headerBytes = 0

    /// The tick at which the request began (`HTTP2Session.tick`).
    var startTick: Int

    /// The number of open streams when the request began, its own included.
    var openStreamCount: Int

    /// The limit of streams that the client had acknowledged when the request began; `nil` if it had acknowledged none.
    var acknowledgedStreamLimit: Int?

    /// The part of the body received so far.
    var body: [UInt8] = []

    /// The number of bytes kept.
    var size: Int {
        headerBytes + body.count
    }
}
