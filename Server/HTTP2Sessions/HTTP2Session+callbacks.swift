internal import CNghttp2

// The callbacks that libnghttp2 calls while it reads and writes. They fail only with errors that libnghttp2 knows. None
// calls back into it, except for `readBody` and calls that libnghttp2 allows.

extension HTTP2Session {
    static func setCallbacks(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, context in
            guard let (this, frame) = HTTP2Session.at(context, frame) else { return 0 }
            if frame.headers.cat == NGHTTP2_HCAT_REQUEST { this.begin(frame.hd.stream_id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            frame,
            name,
            nameLength,
            value,
            valueLength,
            _,
            context in
            guard let (this, frame) = HTTP2Session.at(context, frame) else { return 0 }
            let isRequest = frame.headers.cat == NGHTTP2_HCAT_REQUEST
            let isAccepted = this.appendField(
                UnsafeBufferPointer(start: name, count: nameLength),
                UnsafeBufferPointer(start: value, count: valueLength),
                of: frame.hd.stream_id,
                isTrailer: !isRequest
            )
            return isAccepted ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, context in
            HTTP2Session.at(context)?.appendBody(UnsafeBufferPointer(start: bytes, count: count), of: stream)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            guard let (this, frame) = HTTP2Session.at(context, frame) else { return 0 }
            if frame.hd.endsStream { this.finish(frame.hd.stream_id) }
            if frame.hd.isPing { this.events.append(.ping) }
            if frame.hd.acknowledgesSettings { this.recordAcknowledgedSettings() }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, context in
            guard let (this, frame) = HTTP2Session.at(context, frame) else { return 0 }
            if frame.hd.endsStream { this.stopReceivingRequest(of: frame.hd.stream_id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, context in
            HTTP2Session.at(context)?.close(stream)
            return 0
        }
    }

    fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
        context.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func at(
        _ context: UnsafeMutableRawPointer?,
        _ frame: UnsafePointer<nghttp2_frame>?
    ) -> (HTTP2Session, nghttp2_frame)? {
        guard let this = at(context), let frame else { return nil }
        return (this, frame.pointee)
    }
}

extension nghttp2_frame_hd {
    /// Whether this frame is the last of its stream; on other frame types the flag has another meaning.
    fileprivate var endsStream: Bool {
        [NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue].contains(UInt32(type))
            && UInt32(flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
    }

    /// Whether this frame is a PING frame, and not the answer to one.
    fileprivate var isPing: Bool {
        UInt32(type) == NGHTTP2_PING.rawValue && UInt32(flags) & NGHTTP2_FLAG_ACK.rawValue == 0
    }

    /// Whether this frame acknowledges the oldest settings that are not yet acknowledged.
    fileprivate var acknowledgesSettings: Bool {
        UInt32(type) == NGHTTP2_SETTINGS.rawValue && UInt32(flags) & NGHTTP2_FLAG_ACK.rawValue != 0
    }
}

// MARK: Receiving a request

extension HTTP2Session {
    private func begin(_ stream: HTTP2StreamID) {
        openStreamCount += 1
        incomingRequests[stream] = IncomingRequest(
            startTick: tick,
            openStreamCount: openStreamCount,
            acknowledgedStreamLimit: acknowledgedStreamLimit
        )
    }

    private func recordAcknowledgedSettings() {
        guard !unacknowledgedStreamLimits.isEmpty else { return }
        acknowledgedStreamLimit = unacknowledgedStreamLimits.removeFirst()
    }

    /// Stores a header field; returns `false` if the header list exceeds a limit.
    private func appendField(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>,
        of stream: HTTP2StreamID,
        isTrailer: Bool
    ) -> Bool {
        guard exceededLimit == nil, let index = incomingRequests.index(forKey: stream) else { return false }
        let size = name.count + value.count + 32
        incomingRequests.values[index].headerBytes += size
        guard incomingRequests.values[index].headerBytes <= limits.headerListSize else {
            exceededLimit = "the header list has more than \(limits.headerListSize) bytes"
            return false
        }
        guard reserve(size) else { return false }
        if !isTrailer {
            incomingRequests.values[index].fields.append(
                HTTP2Field(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            )
        }
        return true
    }

    private func appendBody(_ bytes: UnsafeBufferPointer<UInt8>, of stream: HTTP2StreamID) {
        // The rest of a body that was too long no longer has a request.
        guard exceededLimit == nil, let index = incomingRequests.index(forKey: stream) else { return }
        guard incomingRequests.values[index].body.count + bytes.count <= limits.bodySize else {
            return finish(stream, isBodyTooLong: true)
        }
        if reserve(bytes.count) { incomingRequests.values[index].body.append(contentsOf: bytes) }
    }

    private func finish(_ stream: HTTP2StreamID, isBodyTooLong: Bool = false) {
        guard exceededLimit == nil, let request = incomingRequests.removeValue(forKey: stream) else { return }
        incomingBytes -= request.size
        unansweredStreams.insert(stream)
        events.append(
            .request(
                HTTP2Request(
                    stream: stream,
                    fields: request.fields,
                    body: isBodyTooLong ? [] : request.body,
                    isBodyTooLong: isBodyTooLong,
                    openStreamCount: request.openStreamCount,
                    acknowledgedStreamLimit: request.acknowledgedStreamLimit
                )
            )
        )
    }

    /// Counts `count` more bytes of incomplete requests; returns `false` if the limit is exceeded.
    private func reserve(_ count: Int) -> Bool {
        incomingBytes += count
        guard incomingBytes > limits.totalRequestSize else { return true }
        exceededLimit = "unfinished requests have more than \(limits.totalRequestSize) bytes in total"
        return false
    }
}

// MARK: Closing a stream

extension HTTP2Session {
    private func close(_ stream: HTTP2StreamID) {
        openStreamCount = max(0, openStreamCount - 1)
        if let request = incomingRequests.removeValue(forKey: stream) { incomingBytes -= request.size }
        unsentBodies[stream] = nil
        if unansweredStreams.remove(stream) != nil { events.append(.canceled(stream)) }
    }
}

/// Gives libnghttp2 the next chunk of a response body, and marks the last chunk.
let readBody: nghttp2_data_source_read_callback = { _, stream, buffer, capacity, flags, _, context in
    guard let this = HTTP2Session.at(context), let buffer, let rest = this.unsentBodies[stream] else {
        return ssize_t(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let chunk = rest.prefix(capacity)
    _ = UnsafeMutableBufferPointer(start: buffer, count: capacity).update(fromContentsOf: chunk)
    let isLast = chunk.count == rest.count
    this.unsentBodies[stream] = isLast ? nil : rest.dropFirst(chunk.count)
    if isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return ssize_t(chunk.count)
}
