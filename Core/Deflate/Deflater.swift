internal import CZlib

/// A streaming deflater of one body.
///
/// Pass the input in pieces of any size to `deflate`, then call `finish` until it returns true.
public struct Deflater: ~Copyable {
    /// How hard zlib tries: 0 stores, 1 is fastest, 9 is smallest.
    public struct Level: Sendable, Equatable {
        let value: Int32

        /// Creates a level, clamping `value` to 0...9.
        public init(_ value: Int) {
            self.value = Int32(min(max(value, 0), 9))
        }

        /// zlib's own balance, level 6.
        public static let balanced = Self(6)
    }

    /// How much a deflater remembers of what it has seen, and how much memory that costs as long as it lives.
    public struct Memory: Sendable, Equatable {
        /// The bytes of the window, as a power of 2.
        fileprivate let windowBits: Int32

        /// zlib's `memLevel`.
        fileprivate let level: Int32

        /// zlib's own: a window of 32 KiB; about 330 KiB in all.
        public static let standard = Self(windowBits: 15, level: 8)

        /// For many streams that are open at once: a window of 1 KiB; about 13 KiB in all.
        public static let least = Self(windowBits: 10, level: 1)
    }

    private let stream: ZlibStream

    /// Creates a deflater of `format`.
    public init(_ format: DeflateFormat, level: Level = .balanced, memory: Memory = .standard) {
        let initialize = { (record: UnsafeMutablePointer<z_stream>) in
            deflateInit2_(
                record,
                level.value,
                Z_DEFLATED,
                format.windowBits(memory.windowBits),
                memory.level,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)
            )
        }
        stream = ZlibStream(initialize: initialize, end: deflateEnd)
    }

    /// Deflates `input` until it is used up or `maximumCount` bytes were appended to `output`.
    ///
    /// - Returns: how much was used and appended. Where not all input was used, call again with the rest.
    /// - Precondition: `maximumCount` is positive.
    public mutating func deflate(
        _ input: UnsafeRawBufferPointer,
        appendingTo output: inout [UInt8],
        atMost maximumCount: Int
    ) -> StreamProgress {
        run(input, appendingTo: &output, atMost: maximumCount, flush: Z_NO_FLUSH).progress
    }

    /// Lets everything deflated so far come out, so that a reader that has it can inflate it all, and goes on.
    ///
    /// - Returns: whether all is out; where not, there was no room, and the call is to be repeated.
    /// - Precondition: `maximumCount` is at least 7: zlib would mark the end of the flush again and again in less (zlib.h).
    public mutating func flush(appendingTo output: inout [UInt8], atMost maximumCount: Int) -> Bool {
        precondition(maximumCount > 6, "the mark of a flush would never fit")
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return run(nothing, appendingTo: &output, atMost: maximumCount, flush: Z_SYNC_FLUSH).progress.produced
            < maximumCount
    }

    /// Ends the stream, appending at most `maximumCount` bytes to `output`.
    ///
    /// - Returns: whether the stream is complete; where not, there was no room, and the call is to be repeated.
    /// - Precondition: `maximumCount` is positive.
    public mutating func finish(appendingTo output: inout [UInt8], atMost maximumCount: Int) -> Bool {
        run(UnsafeRawBufferPointer(start: nil, count: 0), appendingTo: &output, atMost: maximumCount, flush: Z_FINISH)
            .isComplete
    }

    private func run(
        _ input: UnsafeRawBufferPointer,
        appendingTo output: inout [UInt8],
        atMost maximumCount: Int,
        flush: Int32
    ) -> (progress: StreamProgress, isComplete: Bool) {
        precondition(maximumCount > 0, "a call that may produce nothing makes no progress")
        var progress = StreamProgress(consumed: 0, produced: 0)
        while progress.produced < maximumCount {
            let rest = UnsafeRawBufferPointer(rebasing: input[progress.consumed...])
            if rest.isEmpty && flush == Z_NO_FLUSH { break }
            let room = maximumCount - progress.produced
            let step = stream.step(rest, appendingTo: &output, atMost: room) { record in
                CZlib.deflate(record, flush)
            }
            progress.consumed += step.consumed
            progress.produced += step.produced
            if step.status == Z_STREAM_END { return (progress, true) }
            if step.consumed == 0 && step.produced == 0 { break }
        }
        return (progress, false)
    }
}

extension Deflater {
    /// Returns the whole of `input` deflated.
    public static func deflate(_ input: [UInt8], as format: DeflateFormat, level: Level = .balanced) -> [UInt8] {
        var deflater = Deflater(format, level: level)
        var output: [UInt8] = []
        _ = input.withUnsafeBytes { bytes in
            deflater.deflate(bytes, appendingTo: &output, atMost: .max)
        }
        _ = deflater.finish(appendingTo: &output, atMost: .max)
        return output
    }
}
