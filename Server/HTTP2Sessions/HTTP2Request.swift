/// A stream's number: odd, and greater than those before it on its connection.
package typealias HTTP2StreamID = Int32

/// A request that has come whole, or as much of it as is kept.
package struct HTTP2Request: Sendable, Equatable {
    /// The stream that waits for an answer.
    package var stream: HTTP2StreamID

    /// The fields in the order in which they came, pseudo-header fields among them.
    package var fields: [HTTP2Field]

    /// The body; what is over the limit is left out.
    package var body: [UInt8] = []

    /// Whether the body is longer than what is kept of one.
    package var isBodyTooLong = false
}

/// A name, in lower case, with its value.
package struct HTTP2Field: Sendable, Equatable {
    /// The name.
    package var name: String

    /// The value.
    package var value: String

    /// Whether the same is likely to be said again, so that it is worth remembering (HPACK, RFC 7541, section 6.2).
    package var isRepeated: Bool

    /// Creates the field.
    package init(_ name: String, _ value: String, isRepeated: Bool = true) {
        self.name = name
        self.value = value
        self.isRepeated = isRepeated
    }
}

/// An answer.
package struct HTTP2Response: Sendable, Equatable {
    /// The status code.
    package var status: Int

    /// The fields behind `:status`.
    package var fields: [HTTP2Field]

    /// The body; an empty one is none.
    package var body: [UInt8]

    /// Creates the answer.
    package init(status: Int, fields: [HTTP2Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// What a session learnt from the bytes it was given.
package enum HTTP2Event: Sendable, Equatable {
    /// A request wants an answer.
    case request(HTTP2Request)

    /// Whoever sent the request on this stream does not want an answer any more.
    case cancelled(HTTP2StreamID)
}
