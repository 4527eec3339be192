internal import Deflate
internal import NIOCore

/// The gzip coding of one event stream, in which each group of events can be read as soon as it has come.
///
/// With zlib's defaults a stream would cost 256 KiB, as long as it is open; a window of 1 KiB and the least memory cost
/// a few, and lose little on events that are short and alike.
struct EventCompression: ~Copyable {
    private var deflater = Deflater(.gzip, memory: .least)

    /// Returns the coded form of a group of events.
    mutating func compress(_ events: ByteBuffer, isLast: Bool) -> ByteBuffer {
        var output: [UInt8] = []
        events.withUnsafeReadableBytes { bytes in
            _ = deflater.deflate(bytes, appendingTo: &output, atMost: .max)
        }
        _ =
            isLast
            ? deflater.finish(appendingTo: &output, atMost: .max)
            : deflater.flush(appendingTo: &output, atMost: .max)
        return ByteBuffer(bytes: output)
    }
}
