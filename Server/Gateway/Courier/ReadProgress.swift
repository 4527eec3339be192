internal import NIOCore

/// The progress of a stream's client, as a value: what the socket has not taken yet, and since when it takes nothing.
struct ReadProgress: Sendable, Equatable {
    /// The number of bytes that were written and that the socket has not taken yet.
    private var unwrittenBytes = 0

    /// The last time at which the client read, or had nothing to read.
    private var lastTime: NIODeadline

    /// The bytes that waited for the socket at the last check; 0 if it had taken everything.
    private var lastBufferedBytes = 0

    /// Creates the progress of a client that has just connected.
    init(at now: NIODeadline) {
        lastTime = now
    }

    /// Whether the socket has taken everything, so that more may be sent.
    var isWritable: Bool {
        unwrittenBytes == 0
    }

    /// Records that `count` bytes are written; if nothing waited before, the client can stall from now on.
    mutating func beginWrite(of count: Int, at now: NIODeadline) {
        if isWritable { record(at: now) }
        unwrittenBytes += count
    }

    /// Records that the socket has taken `count` bytes of a write.
    mutating func endWrite(of count: Int) {
        unwrittenBytes -= count
    }

    /// Records that the client reads.
    mutating func record(at now: NIODeadline) {
        lastTime = now
        lastBufferedBytes = 0
    }

    /// Returns the time for which the client has read nothing of a write.
    ///
    /// - Parameters:
    ///   - bufferedBytes: the bytes of the write that still wait for the socket.
    ///   - now: the current time.
    /// - Returns: the time; 0 if the socket has taken a part of the write since the last call.
    mutating func stallTime(buffering bufferedBytes: Int, at now: NIODeadline) -> TimeAmount {
        if bufferedBytes < lastBufferedBytes { lastTime = now }
        lastBufferedBytes = bufferedBytes
        return now - lastTime
    }
}
