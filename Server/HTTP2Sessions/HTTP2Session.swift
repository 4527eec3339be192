internal import CNghttp2

/// The server's side of one HTTP/2 connection (RFC 9113): bytes in and requests out, answers in and bytes out.
///
/// It is the engine of libnghttp2 without a socket: it does nothing by itself, and belongs to whoever feeds it, one thread at
/// a time. What a client may make it keep is bounded by `HTTP2Limits`; a client that goes further, or does not keep to the
/// protocol, is told so and the session is over.
///
/// Framing is what APNs has: an answer without a body ends with its HEADERS frame, one with a body has a DATA frame that ends the
/// stream, and no DATA frame is empty.
package final class HTTP2Session {
    private let session: OpaquePointer

    /// What its client may have going at once, as it was told first.
    package let limits: HTTP2Limits

    /// Requests that have not come whole, by stream, and how many bytes of them are kept.
    var incoming: [HTTP2StreamID: IncomingRequest] = [:]
    var incomingBytes = 0

    /// Streams whose request was told and is not answered.
    var unanswered: Set<HTTP2StreamID> = []

    /// What is left to send of answers, by stream.
    var bodies: [HTTP2StreamID: ArraySlice<UInt8>] = [:]

    /// What was learnt and not yet told.
    var events: [HTTP2Event] = []

    /// Why the client went too far; the session ends with it.
    var excess: String?

    /// The present moment, as whoever feeds the session counts it.
    package var moment = 0

    /// How many streams the client is told that it has, by SETTINGS frames that are not sent yet.
    private var announcements: [UInt32] = []

    private var isBroken = false

    /// Begins a session, which has its settings to send at once; `nil` where there is no memory for it.
    package init?(_ limits: HTTP2Limits = HTTP2Limits()) {
        guard let session = Self.makeSession() else { return nil }
        self.session = session
        self.limits = limits
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let settings = [
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrentStreams),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.headerList),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits.body + 1),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 0),
        ]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        announcements = [UInt32(clamping: limits.announcedStreams ?? limits.concurrentStreams)]
        nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Int32(limits.window))
    }

    deinit {
        nghttp2_session_del(session)
    }

    private static func makeSession() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        setCallbacks(callbacks)
        // A closed stream is of no more use: priorities are ignored, as APNs ignores them.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_server_fallback_rfc7540_priorities(options, 0)
        var session: OpaquePointer?
        return nghttp2_session_server_new2(&session, callbacks, nil, options) == 0 ? session : nil
    }
}

// MARK: In

extension HTTP2Session {
    /// Takes in what the client sent; returns what there is to do, in order.
    ///
    /// Whatever the bytes are, this returns; there may be something to send afterwards (`output`), and the session may be over.
    package func receive(_ bytes: UnsafeRawBufferPointer) -> [HTTP2Event] {
        guard !isOver else { return [] }
        let taken = nghttp2_session_mem_recv(
            session,
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            bytes.count
        )
        if let excess { terminate(NGHTTP2_ENHANCE_YOUR_CALM, excess) }
        if taken < 0, excess == nil { isBroken = true }
        defer { events = [] }
        return events
    }

    private func terminate(_ code: nghttp2_error_code, _ reason: String) {
        let last = nghttp2_session_get_last_proc_stream_id(session)
        submitGoAway(code, after: last, Array(reason.utf8))
        // Nothing more is read; what is to be said is sent.
        nghttp2_session_terminate_session2(session, last, code.rawValue)
    }
}

// MARK: Out

extension HTTP2Session {
    /// Answers a request; where its stream is gone, nothing happens.
    package func respond(to stream: HTTP2StreamID, with response: HTTP2Response) {
        guard unanswered.remove(stream) != nil else { return }
        let status = HTTP2Field(":status", String(response.status))
        let result = FieldArray.with([status] + response.fields) { fields in
            guard !response.body.isEmpty else {
                return nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, nil)
            }
            bodies[stream] = response.body[...]
            var provider = nghttp2_data_provider()
            provider.read_callback = readBody
            return nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, &provider)
        }
        if result != 0 { bodies[stream] = nil }
    }

    /// Notes that the last frame of an answer is on its way: the rest of its request is not wanted (RFC 9113, section 8.1).
    func noteAnswered(_ stream: HTTP2StreamID) {
        if nghttp2_session_get_stream_remote_close(session, stream) == 0 { submitReset(of: stream, NGHTTP2_NO_ERROR) }
    }

    /// Ends a stream without an answer.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - isRefused: whether nothing has been done about its request, so that it can be sent again (RFC 9113, section 8.7).
    package func reset(_ stream: HTTP2StreamID, isRefused: Bool = false) {
        guard unanswered.remove(stream) != nil else { return }
        submitReset(of: stream, isRefused ? NGHTTP2_REFUSED_STREAM : NGHTTP2_INTERNAL_ERROR)
    }

    private func submitReset(of stream: HTTP2StreamID, _ code: nghttp2_error_code) {
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    /// Tells the client how many streams it may have open at once.
    ///
    /// What it began before it knows that is taken all the same, up to what the limits allow: clients of APNs do not send again
    /// what is refused.
    package func setConcurrentStreams(_ count: Int) {
        let setting = [nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.concurrentStreams)]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), setting, 1)
        announcements.append(UInt32(clamping: count))
    }

    /// Says goodbye with `data`: what came so far is answered, and nothing more is taken.
    ///
    /// - Parameters:
    ///   - data: what the frame carries.
    ///   - stream: the last stream that is answered, 0 or less for none; `nil` for the last that came.
    package func goAway(with data: [UInt8], after stream: HTTP2StreamID? = nil) {
        let last = nghttp2_session_get_last_proc_stream_id(session)
        submitGoAway(NGHTTP2_NO_ERROR, after: max(0, min(last, stream ?? last)), data)
    }

    private func submitGoAway(_ code: nghttp2_error_code, after last: HTTP2StreamID, _ data: [UInt8]) {
        nghttp2_submit_goaway(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code.rawValue, data, data.count)
    }

    /// Appends what is to be sent to `buffer`.
    package func output(to buffer: inout [UInt8]) {
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
            announceStreams(in: &buffer, from: start)
        }
    }

    /// Writes how many streams the client has into a SETTINGS frame that names the limit, which always does so first
    /// (RFC 9113, sections 4.1 and 6.5.1).
    ///
    /// libnghttp2 refuses what is above a number from the moment on that it is submitted, so that it is given the limit alone.
    private func announceStreams(in buffer: inout [UInt8], from start: Int) {
        let head = [
            UInt8(NGHTTP2_SETTINGS.rawValue), 0, 0, 0, 0, 0, 0, UInt8(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
        ]
        guard let count = announcements.first, buffer.count - start >= 15, buffer[(start + 3)...].starts(with: head)
        else {
            return
        }
        announcements.removeFirst()
        for index in 0..<4 { buffer[start + 11 + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32(index))) }
    }

    /// Whether there is nothing more to read and nothing to send: the connection can be closed.
    package var isOver: Bool {
        isBroken || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
    }

    /// Whether a request began before `moment` and has not come whole.
    package func hasRequests(begunBefore moment: Int) -> Bool {
        incoming.values.contains { $0.moment < moment }
    }

    /// How many requests are not answered.
    package var unansweredCount: Int {
        unanswered.count
    }
}

extension nghttp2_settings_entry {
    fileprivate init(_ id: nghttp2_settings_id, _ value: Int) {
        self.init(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
    }
}
