/// The number of a stream: odd, and greater than the numbers of earlier streams on its connection.
package typealias HTTP2StreamID = Int32

/// A complete request, or one whose body exceeds the limit.
package struct HTTP2Request: Sendable, Equatable {
    /// The stream that expects the response.
    package var stream: HTTP2StreamID

    /// The header fields in the order of arrival, including the pseudo-header fields.
    package var fields: [HTTP2Field]

    /// The body; empty if it exceeds the limit.
    package var body: [UInt8] = []

    /// Whether the body exceeds the limit.
    package var isBodyTooLong = false

    /// The number of open streams when the request began, its own included.
    package var openStreamCount = 1

    /// The limit of streams that the client had acknowledged when the request began; `nil` if it had acknowledged none.
    package var acknowledgedStreamLimit: Int?
}

/// A header field: a name in lower case, and its value.
package struct HTTP2Field: Sendable, Equatable {
    /// The name.
    package var name: String

    /// The value.
    package var value: String

    /// Whether the field is likely to be sent again, so that it is worth an entry in the dynamic table (HPACK, RFC
    /// 7541, section 6.2).
    package var isIndexed: Bool

    /// Creates the field.
    package init(_ name: String, _ value: String, isIndexed: Bool = true) {
        self.name = name
        self.value = value
        self.isIndexed = isIndexed
    }
}

/// A response.
package struct HTTP2Response: Sendable, Equatable {
    /// The status code.
    package var status: Int

    /// The header fields after `:status`.
    package var fields: [HTTP2Field]

    /// The body; empty for a response without one.
    package var body: [UInt8]

    /// Creates the response.
    package init(status: Int, fields: [HTTP2Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// An event that a session found in the bytes it received.
package enum HTTP2Event: Sendable, Equatable {
    /// A request is complete and expects a response.
    case request(HTTP2Request)

    /// The client no longer wants the response on this stream.
    case canceled(HTTP2StreamID)

    /// The client sent a PING frame, which the session answers.
    case ping
}
