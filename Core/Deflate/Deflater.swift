internal import CZlib

/// A streaming compressor of one body.
///
/// Pass the input in chunks of any size to `deflate`, then call `finish` until it returns true.
public struct Deflater: ~Copyable {
    /// A compression level: 0 stores, 1 is the fastest, 9 compresses the most.
    public struct Level: Sendable, Equatable {
        let value: Int32

        /// Creates a level, clamping `value` to 0...9.
        public init(_ value: Int) {
            self.value = Int32(min(max(value, 0), 9))
        }

        /// The default of zlib, level 6.
        public static let balanced = Self(6)
    }

    /// The window and the memory that a deflater uses during its lifetime.
    public struct Memory: Sendable, Equatable {
        /// The binary logarithm of the window size in bytes.
        fileprivate let windowBits: Int32

        /// The `memLevel` argument of zlib.
        fileprivate let memoryLevel: Int32

        /// The defaults of zlib: a window of 32 KiB, about 330 KiB in total.
        public static let standard = Self(windowBits: 15, memoryLevel: 8)

        /// A window of 1 KiB, about 13 KiB in total, for many streams that are open at once.
        public static let minimal = Self(windowBits: 10, memoryLevel: 1)
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
                memory.memoryLevel,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)
            )
        }
        stream = ZlibStream(initialize: initialize, end: deflateEnd)
    }

    /// Compresses `input` until it is used up or `maximumCount` bytes were appended to `output`.
    ///
    /// - Returns: the number of bytes consumed and appended. If some input is left, call again with the rest.
    /// - Precondition: `maximumCount` is positive.
    public mutating func deflate(
        _ input: UnsafeRawBufferPointer,
        appendingTo output: inout [UInt8],
        atMost maximumCount: Int
    ) -> StreamProgress {
        compress(input, appendingTo: &output, atMost: maximumCount, flush: Z_NO_FLUSH).progress
    }

    /// Flushes the data compressed so far, so that a reader can inflate all of it; the stream remains open.
    ///
    /// - Returns: whether the flush is complete. If not, there was too little room; call again.
    /// - Precondition: `maximumCount` is at least 7; with less, zlib would repeat the flush marker (zlib.h).
    public mutating func flush(appendingTo output: inout [UInt8], atMost maximumCount: Int) -> Bool {
        precondition(maximumCount > 6, "maximumCount must be at least 7, or the flush marker would never fit")
        let noInput = UnsafeRawBufferPointer(start: nil, count: 0)
        return compress(noInput, appendingTo: &output, atMost: maximumCount, flush: Z_SYNC_FLUSH).progress.producedCount
            < maximumCount
    }

    /// Ends the stream, appending at most `maximumCount` bytes to `output`.
    ///
    /// - Returns: whether the stream is complete. If not, there was too little room; call again.
    /// - Precondition: `maximumCount` is positive.
    public mutating func finish(appendingTo output: inout [UInt8], atMost maximumCount: Int) -> Bool {
        let noInput = UnsafeRawBufferPointer(start: nil, count: 0)
        return compress(noInput, appendingTo: &output, atMost: maximumCount, flush: Z_FINISH).isComplete
    }

    private func compress(
        _ input: UnsafeRawBufferPointer,
        appendingTo output: inout [UInt8],
        atMost maximumCount: Int,
        flush: Int32
    ) -> (progress: StreamProgress, isComplete: Bool) {
        precondition(maximumCount > 0, "maximumCount must be positive")
        var progress = StreamProgress(consumedCount: 0, producedCount: 0)
        while progress.producedCount < maximumCount {
            let rest = UnsafeRawBufferPointer(rebasing: input[progress.consumedCount...])
            if rest.isEmpty && flush == Z_NO_FLUSH { break }
            let room = maximumCount - progress.producedCount
            let step = stream.step(rest, appendingTo: &output, atMost: room) { record in
                CZlib.deflate(record, flush)
            }
            progress.consumedCount += step.consumedCount
            progress.producedCount += step.producedCount
            if step.status == Z_STREAM_END { return (progress, true) }
            if step.consumedCount == 0 && step.producedCount == 0 { break }
        }
        return (progress, false)
    }
}

extension Deflater {
    /// Returns `input`, compressed in one call.
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
