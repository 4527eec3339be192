internal import CNghttp2

/// The client side of one HTTP/2 connection (RFC 9113), for programs that send many small requests.
///
/// Like `HTTP2Session`, it runs libnghttp2 without a socket. It keeps the status of a response and the first bytes of
/// its body, and ignores everything else.
package final class HTTP2ClientSession {
    /// The maximum number of bytes of a response body that are kept.
    private static let maximumBodySize = 4_096

    /// The bytes that the server may send before the session extends the window.
    private static let windowSize: Int32 = 16 << 20

    private let session: OpaquePointer

    /// A request without a complete response.
    fileprivate struct Exchange {
        var body: [UInt8]
        var sentByteCount = 0
        var status = 0
        var responseBody: [UInt8] = []
    }

    fileprivate var exchanges: [HTTP2StreamID: Exchange] = [:]
    fileprivate var events: [HTTP2ClientEvent] = []
    private var isBroken = false

    /// Creates a session, which has the preface and its settings to send at once; returns `nil` if memory is exhausted.
    package init?() {
        guard let session = Self.makeSession() else { return nil }
        self.session = session
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: UInt32(Self.windowSize)
            ),
        ]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Self.windowSize)
    }

    deinit {
        nghttp2_session_del(session)
    }

    private static func makeSession() -> OpaquePointer? {
        SessionFactory.make(setCallbacks: setCallbacks) { callbacks, options in
            var session: OpaquePointer?
            return nghttp2_session_client_new2(&session, callbacks, nil, options) == 0 ? session : nil
        }
    }

    /// The number of requests without a complete response.
    package var openStreamCount: Int {
        exchanges.count
    }

    /// The number of streams that the server allows at once.
    package var allowedStreamCount: Int {
        Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Begins a request; `writeOutput` writes its bytes.
    ///
    /// - Parameters:
    ///   - head: the header fields, the pseudo-header fields first.
    ///   - body: the body; may be empty.
    /// - Returns: the stream, or `nil` if the server accepts no more requests on this connection.
    package func send(_ head: HTTP2RequestHead, body: [UInt8]) -> HTTP2StreamID? {
        guard nghttp2_session_check_request_allowed(session) != 0 else { return nil }
        let stream = head.withFields { fields in
            guard !body.isEmpty else {
                return nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, nil, nil)
            }
            var provider = nghttp2_data_provider()
            provider.read_callback = readRequestBody
            return nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, &provider, nil)
        }
        guard stream > 0 else { return nil }
        exchanges[stream] = Exchange(body: body)
        return stream
    }

    /// Processes bytes from the server and returns the events in order.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> [HTTP2ClientEvent] {
        let consumed = nghttp2_session_mem_recv(
            session,
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            bytes.count
        )
        if consumed < 0 { isBroken = true }
        defer { events = [] }
        return events
    }

    /// Passes the bytes to send to `append`.
    package func writeOutput(to append: (UnsafeBufferPointer<UInt8>) -> Void) {
        while !isBroken {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &bytes)
            if count < 0 { isBroken = true }
            guard count > 0, let bytes else { return }
            append(UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// Whether the connection can be closed: it is broken, or the server has ended it and nothing is in progress.
    package var isOver: Bool {
        isBroken || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
    }
}

/// An event that a client session found in the bytes it received.
package enum HTTP2ClientEvent: Sendable, Equatable {
    /// A response is complete; `body` has at most its first 4,096 bytes.
    case response(HTTP2StreamID, status: Int, body: [UInt8])

    /// A stream was reset, or ended without a response; `code` is that of its RST_STREAM frame (RFC 9113, section 7).
    case reset(HTTP2StreamID, code: UInt32)

    /// The server accepts no more requests on this connection, for the reason in `data`.
    case goAway(data: [UInt8])
}

/// The header fields of a request, with their bytes one after another.
package struct HTTP2RequestHead: Sendable {
    private struct Field {
        var nameLength: Int
        var valueLength: Int
        var flags: UInt8
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    /// Creates a head without fields.
    package init() {
        bytes.reserveCapacity(512)
        fields.reserveCapacity(12)
    }

    /// Appends a field.
    ///
    /// - Parameters:
    ///   - name: the name in lower case.
    ///   - value: the value.
    ///   - isIndexed: whether the field is likely to be sent again, see `HTTP2Field`.
    package mutating func append(_ name: StaticString, _ value: some Collection<UInt8>, isIndexed: Bool = true) {
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: value)
        let flags = isIndexed ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX
        fields.append(Field(nameLength: name.utf8CodeUnitCount, valueLength: value.count, flags: UInt8(flags.rawValue)))
    }

    /// Appends a field with a string value.
    package mutating func append(_ name: StaticString, _ value: String, isIndexed: Bool = true) {
        append(name, value.utf8, isIndexed: isIndexed)
    }

    /// Calls `body` with the fields as libnghttp2 takes them, which copies them.
    fileprivate func withFields<Value>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Value) -> Value {
        bytes.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { array in
                // libnghttp2 does not change the bytes, although its type says so.
                var rest = UnsafeMutablePointer(mutating: bytes.baseAddress)
                for (index, field) in fields.enumerated() {
                    let pair = nghttp2_nv(
                        name: rest,
                        value: rest.map { $0 + field.nameLength },
                        namelen: field.nameLength,
                        valuelen: field.valueLength,
                        flags: field.flags
                    )
                    array.initializeElement(at: index, to: pair)
                    rest = rest.map { $0 + field.nameLength + field.valueLength }
                }
                return body(UnsafeBufferPointer(array))
            }
        }
    }
}

// MARK: Callbacks

extension HTTP2ClientSession {
    fileprivate static func setCallbacks(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            frame,
            name,
            count,
            value,
            length,
            _,
            context in
            guard let this = HTTP2ClientSession.at(context), let frame, let name, let value else { return 0 }
            // Of all fields only `:status` is kept, the only pseudo-header field of a response.
            guard count == 7, name[0] == UInt8(ascii: ":") else { return 0 }
            let status = UnsafeBufferPointer(start: value, count: length).reduce(0) { $0 * 10 + Int($1) - 0x30 }
            this.exchanges[frame.pointee.hd.stream_id]?.status = status
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, context in
            guard let this = HTTP2ClientSession.at(context) else { return 0 }
            let chunk = UnsafeBufferPointer(start: bytes, count: count)
            this.exchanges[stream]?.appendBody(chunk, atMost: HTTP2ClientSession.maximumBodySize)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            guard let this = HTTP2ClientSession.at(context), let frame else { return 0 }
            if UInt32(frame.pointee.hd.type) == NGHTTP2_GOAWAY.rawValue {
                let goAway = frame.pointee.goaway
                let data = UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len)
                this.events.append(.goAway(data: Array(data)))
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, context in
            guard let this = HTTP2ClientSession.at(context), let exchange = this.exchanges.removeValue(forKey: stream)
            else { return 0 }
            let isComplete = exchange.status > 0 && code == NGHTTP2_NO_ERROR.rawValue
            this.events.append(
                isComplete
                    ? .response(stream, status: exchange.status, body: exchange.responseBody)
                    : .reset(stream, code: code)
            )
            return 0
        }
    }

    fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> HTTP2ClientSession? {
        context.map { Unmanaged<HTTP2ClientSession>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Copies the next chunk of a request's body; returns its length and whether it is the last.
    fileprivate func copyBody(
        of stream: HTTP2StreamID,
        to buffer: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isLast: Bool)? {
        guard let index = exchanges.index(forKey: stream) else { return nil }
        let (body, sentByteCount) = (exchanges.values[index].body, exchanges.values[index].sentByteCount)
        let count = min(buffer.count, body.count - sentByteCount)
        buffer.copyBytes(from: body[sentByteCount..<sentByteCount + count])
        exchanges.values[index].sentByteCount += count
        return (count, sentByteCount + count == body.count)
    }
}

extension HTTP2ClientSession.Exchange {
    fileprivate mutating func appendBody(_ chunk: UnsafeBufferPointer<UInt8>, atMost limit: Int) {
        responseBody.append(contentsOf: chunk.prefix(limit - responseBody.count))
    }
}

/// Gives libnghttp2 the next chunk of a request's body, and marks the last chunk.
private let readRequestBody: nghttp2_data_source_read_callback = { _, stream, buffer, capacity, flags, _, context in
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
    guard let (count, isLast) = HTTP2ClientSession.at(context)?.copyBody(of: stream, to: room) else {
        return ssize_t(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    if isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return ssize_t(count)
}
