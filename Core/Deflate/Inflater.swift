internal import CZlib

/// A streaming decompressor of one body.
///
/// Pass the input in chunks of any size to `inflate`, then call `finish`, which fails if the stream is truncated. A
/// gzip body may have several members; their contents are concatenated (RFC 1952, 2.2). Do not use an inflater again
/// after an error.
public struct Inflater: ~Copyable {
    private enum Position {
        case beforeStream
        case insideStream
        case afterStream
    }

    private let stream: ZlibStream
    private let format: DeflateFormat
    private let limits: InflationLimits
    private var position = Position.beforeStream
    private var totalInput = 0
    private var totalOutput = 0

    /// Creates an inflater of `format`, which uses about 110 KiB of memory.
    public init(_ format: DeflateFormat, limits: InflationLimits = InflationLimits()) {
        let initialize = { (record: UnsafeMutablePointer<z_stream>) in
            inflateInit2_(record, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        }
        stream = ZlibStream(initialize: initialize, end: inflateEnd)
        self.format = format
        self.limits = limits
    }

    /// Inflates `input` until it is used up or `maximumCount` bytes were appended to `output`.
    ///
    /// - Returns: the number of bytes consumed and appended. If some input is left, call again with the rest. If
    ///   `maximumCount` bytes were appended, call again even without input, because more output may be pending.
    /// - Throws: `InflateError`. The output appended before the error is valid as far as the checksums read so far can
    ///   tell.
    /// - Precondition: `maximumCount` is positive.
    public mutating func inflate(
        _ input: UnsafeRawBufferPointer,
        appendingTo output: inout [UInt8],
        atMost maximumCount: Int
    ) throws(InflateError) -> StreamProgress {
        precondition(maximumCount > 0, "maximumCount must be positive")
        var progress = StreamProgress(consumedCount: 0, producedCount: 0)
        while progress.producedCount < maximumCount {
            let rest = UnsafeRawBufferPointer(rebasing: input[progress.consumedCount...])
            guard try prepareToContinue(with: rest) else { break }
            let room = min(maximumCount - progress.producedCount, limits.room(after: totalOutput))
            let step = stream.step(rest, appendingTo: &output, atMost: room) { record in
                CZlib.inflate(record, Z_NO_FLUSH)
            }
            progress.consumedCount += step.consumedCount
            progress.producedCount += step.producedCount
            try account(for: step)
            if step.consumedCount == 0 && step.producedCount == 0 { break }
        }
        return progress
    }

    /// Declares the end of the input.
    ///
    /// - Throws: `InflateError.truncated` if the stream, or the last gzip member, is incomplete.
    public consuming func finish() throws(InflateError) {
        guard position == .afterStream else {
            throw .truncated(offset: totalInput)
        }
    }

    /// Starts the next gzip member if `rest` begins with one, and returns whether to continue.
    private mutating func prepareToContinue(with rest: UnsafeRawBufferPointer) throws(InflateError) -> Bool {
        switch position {
        case .beforeStream:
            return !rest.isEmpty
        case .insideStream:
            // Even without input, output that did not fit before may be pending.
            return true
        case .afterStream:
            guard let first = rest.first else { return false }
            let gzipMagic: UInt8 = 0x1F
            guard format == .gzip && first == gzipMagic else {
                throw .trailingInput(offset: totalInput)
            }
            stream.reset(inflateReset)
            return true
        }
    }

    private mutating func account(for step: ZlibStream.StepOutcome) throws(InflateError) {
        totalInput += step.consumedCount
        totalOutput += step.producedCount
        if let violation = limits.violation(input: totalInput, output: totalOutput) {
            throw violation
        }
        switch step.status {
        case Z_OK: position = .insideStream
        case Z_STREAM_END: position = .afterStream
        // zlib reports that there was no input or no room left; this is not an error.
        case Z_BUF_ERROR: break
        case Z_NEED_DICT: throw .dictionaryRequired(offset: totalInput)
        case Z_MEM_ERROR: preconditionFailure("zlib could not allocate its window")
        default: throw .corrupt(offset: totalInput, detail: stream.message ?? "not a \(format.rawValue) stream")
        }
    }
}

extension Inflater {
    /// Returns `input`, inflated in one call.
    ///
    /// - Throws: `InflateError`; `truncated` if the input is incomplete.
    /// - Complexity: O(input + output); memory is bounded by `limits`.
    public static func inflate(
        _ input: [UInt8],
        as format: DeflateFormat,
        limits: InflationLimits = InflationLimits()
    ) throws(InflateError) -> [UInt8] {
        var inflater = Inflater(format, limits: limits)
        var output: [UInt8] = []
        // Some toolchains cannot pass a typed throw through `withUnsafeBytes`, so the result carries the error.
        let outcome = input.withUnsafeBytes { bytes -> Result<StreamProgress, InflateError> in
            do throws(InflateError) {
                return .success(try inflater.inflate(bytes, appendingTo: &output, atMost: .max))
            } catch {
                return .failure(error)
            }
        }
        _ = try outcome.get()
        try inflater.finish()
        return output
    }
}
