internal import CNghttp2

/// The server side of one HTTP/2 connection (RFC 9113): it turns bytes into requests, and responses into bytes.
///
/// The session runs libnghttp2 without a socket. It does nothing by itself, and only one thread may use it at a time.
/// `HTTP2Limits` bounds what a client can make it keep. If a client exceeds a limit or violates the protocol, the
/// session reports the error to the client and ends.
///
/// The frames are those of APNs: a response without a body ends with its HEADERS frame. A response with a body ends
/// with a DATA frame, and no DATA frame is empty.
package final class HTTP2Session {
    private let session: OpaquePointer

    /// The limits on what the client may send.
    package let limits: HTTP2Limits

    /// The incomplete requests by stream, and the number of their bytes in memory.
    var incomingRequests: [HTTP2StreamID: IncomingRequest] = [:]
    var incomingBytes = 0

    /// The streams with a reported request and without a response.
    var unansweredStreams: Set<HTTP2StreamID> = []

    /// The unsent parts of response bodies, by stream.
    var unsentBodies: [HTTP2StreamID: ArraySlice<UInt8>] = [:]

    /// The events that are not reported yet.
    var events: [HTTP2Event] = []

    /// The limit that the client exceeded, which ends the session.
    var exceededLimit: String?

    /// The current time as a number of ticks, which the caller advances.
    package var tick = 0

    /// The numbers of streams to announce in SETTINGS frames that are not sent yet.
    private var unannouncedStreamLimits: [UInt32] = []

    /// The announced numbers of streams that the client has not acknowledged yet, in order.
    var unacknowledgedStreamLimits: [Int] = []

    /// The last limit of streams that the client has acknowledged; before the first, it may assume that there is none.
    var acknowledgedStreamLimit: Int?

    /// The number of streams that the client has opened and that are not closed.
    var openStreamCount = 0

    /// Whether the session is not over after a GOAWAY frame although no stream is open, until the client ends it.
    ///
    /// libnghttp2 then ignores all frames of the client, also PING.
    package var staysOpen = false

    private var isBroken = false

    /// Creates a session, which has its settings to send at once; returns `nil` if memory is exhausted.
    package init?(_ limits: HTTP2Limits = HTTP2Limits()) {
        guard let session = Self.makeSession() else { return nil }
        self.session = session
        self.limits = limits
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrentStreamCount),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.headerListSize),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.bodySize + 1),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 0),
        ]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        recordAnnouncement(of: limits.announcedStreamCount ?? limits.concurrentStreamCount)
        nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Int32(limits.windowSize))
    }

    deinit {
        nghttp2_session_del(session)
    }

    private static func makeSession() -> OpaquePointer? {
        SessionFactory.make(setCallbacks: setCallbacks) { callbacks, options in
            nghttp2_option_set_server_fallback_rfc7540_priorities(options, 0)
            var session: OpaquePointer?
            return nghttp2_session_server_new2(&session, callbacks, nil, options) == 0 ? session : nil
        }
    }
}

/// A factory of the sessions of libnghttp2.
enum SessionFactory {
    /// Makes a session.
    ///
    /// - Parameters:
    ///   - setCallbacks: sets the callbacks of the session.
    ///   - create: creates it with callbacks and options, which it copies.
    /// - Returns: the session, or `nil` if memory is exhausted.
    static func make(
        setCallbacks: (OpaquePointer?) -> Void,
        _ create: (_ callbacks: OpaquePointer?, _ options: OpaquePointer?) -> OpaquePointer?
    ) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        setCallbacks(callbacks)
        // Closed streams are not needed: priorities are ignored, as APNs ignores them.
        nghttp2_option_set_no_closed_streams(options, 1)
        return create(callbacks, options)
    }
}

// MARK: Receiving

extension HTTP2Session {
    /// Processes bytes from the client and returns the events in order.
    ///
    /// It accepts any bytes. Afterward there may be bytes to send (`writeOutput`), and the session may be over.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> [HTTP2Event] {
        guard !isOver else { return [] }
        let consumed = nghttp2_session_mem_recv(
            session,
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            bytes.count
        )
        if let exceededLimit { terminate(NGHTTP2_ENHANCE_YOUR_CALM, exceededLimit) }
        if consumed < 0, exceededLimit == nil { isBroken = true }
        defer { events = [] }
        return events
    }

    private func terminate(_ code: nghttp2_error_code, _ reason: String) {
        staysOpen = false
        let last = nghttp2_session_get_last_proc_stream_id(session)
        submitGoAway(code, after: last, Array(reason.utf8))
        // Nothing more is read, but pending frames are still sent.
        nghttp2_session_terminate_session2(session, last, code.rawValue)
    }
}

// MARK: Sending

extension HTTP2Session {
    /// Sends a response to a request; does nothing if the stream is closed.
    package func respond(to stream: HTTP2StreamID, with response: HTTP2Response) {
        guard unansweredStreams.remove(stream) != nil else { return }
        let status = HTTP2Field(":status", String(response.status))
        let result = FieldArray.with([status] + response.fields) { fields in
            guard !response.body.isEmpty else {
                return nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, nil)
            }
            unsentBodies[stream] = response.body[...]
            var provider = nghttp2_data_provider()
            provider.read_callback = readBody
            return nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, &provider)
        }
        if result != 0 { unsentBodies[stream] = nil }
    }

    /// Resets the stream of a sent response if its request is incomplete.
    ///
    /// The rest of the request is not needed (RFC 9113, section 8.1).
    func stopReceivingRequest(of stream: HTTP2StreamID) {
        if nghttp2_session_get_stream_remote_close(session, stream) == 0 { submitReset(of: stream, NGHTTP2_NO_ERROR) }
    }

    /// Ends a stream without a response.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - isRefused: whether the request was not processed, so that the client may retry it (RFC 9113, section 8.7).
    package func reset(_ stream: HTTP2StreamID, isRefused: Bool = false) {
        guard unansweredStreams.remove(stream) != nil else { return }
        submitReset(of: stream, isRefused ? NGHTTP2_REFUSED_STREAM : NGHTTP2_INTERNAL_ERROR)
    }

    private func submitReset(of stream: HTTP2StreamID, _ code: nghttp2_error_code) {
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    /// Announces to the client how many streams it may have open at once.
    ///
    /// Streams that the client opens before it learns the new number are still accepted, up to the limits: APNs clients
    /// do not retry refused requests. libnghttp2 would refuse streams above a submitted number at once, so it gets the
    /// limit, and `writeAnnouncedLimit` writes the number into the frame.
    package func announceConcurrentStreams(_ count: Int) {
        let setting = [nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrentStreamCount)]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), setting, 1)
        recordAnnouncement(of: count)
    }

    private func recordAnnouncement(of count: Int) {
        unannouncedStreamLimits.append(UInt32(clamping: count))
        unacknowledgedStreamLimits.append(count)
    }

    /// Sends a GOAWAY frame with `data`: earlier requests get responses, and no later ones are accepted.
    ///
    /// - Parameters:
    ///   - data: the additional debug data of the frame.
    ///   - stream: the last stream that gets a response, 0 or less for no stream; `nil` for the last stream received.
    package func goAway(with data: [UInt8], after stream: HTTP2StreamID? = nil) {
        let last = nghttp2_session_get_last_proc_stream_id(session)
        submitGoAway(NGHTTP2_NO_ERROR, after: max(0, min(last, stream ?? last)), data)
    }

    private func submitGoAway(_ code: nghttp2_error_code, after last: HTTP2StreamID, _ data: [UInt8]) {
        nghttp2_submit_goaway(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code.rawValue, data, data.count)
    }

    /// Appends the bytes to send to `buffer`.
    package func writeOutput(to buffer: inout [UInt8]) {
        while !isBroken {
            var bytes: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &bytes)
            guard count >= 0 else {
                isBroken = true
                return
            }
            guard count > 0, let bytes else { return }
            let start = buffer.count
            buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
            writeAnnouncedLimit(in: &buffer, from: start)
        }
    }

    /// Writes the number of streams to announce into a SETTINGS frame that sets the limit.
    ///
    /// In such a frame the limit is always the first setting (RFC 9113, sections 4.1 and 6.5.1).
    private func writeAnnouncedLimit(in buffer: inout [UInt8], from start: Int) {
        let head = [
            UInt8(NGHTTP2_SETTINGS.rawValue), 0, 0, 0, 0, 0, 0, UInt8(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
        ]
        guard let count = unannouncedStreamLimits.first, buffer.count - start >= 15,
            buffer[(start + 3)...].starts(with: head)
        else {
            return
        }
        unannouncedStreamLimits.removeFirst()
        for index in 0..<4 { buffer[start + 11 + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32(index))) }
    }

    /// Whether there is nothing left to read or send, so that the connection can be closed.
    package var isOver: Bool {
        guard !isBroken else { return true }
        return !staysOpen && nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Returns whether an incomplete request began before `tick`.
    package func hasRequests(begunBefore tick: Int) -> Bool {
        incomingRequests.values.contains { $0.startTick < tick }
    }

    /// The number of bytes in memory of all incomplete requests.
    package var incompleteByteCount: Int {
        incomingBytes
    }

    /// The number of requests without a response.
    package var unansweredCount: Int {
        unansweredStreams.count
    }
}

extension nghttp2_settings_entry {
    fileprivate init(_ id: nghttp2_settings_id, _ value: Int) {
        self.init(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
    }
}
