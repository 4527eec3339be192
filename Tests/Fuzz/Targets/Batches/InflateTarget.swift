import CZlib
import Deflate

extension FuzzTarget {
    /// A byte that chooses the format and the level, a byte for the size of the pieces, and bytes to inflate and to
    /// deflate.
    static let inflate = FuzzTarget(
        name: "inflate",
        summary: "gzip, zlib and raw deflate; zlib's own functions accept and refuse the same"
    ) { bytes in
        guard bytes.count >= 2 else { return }
        let format = DeflateFormat.allCases[Int(bytes[0]) % DeflateFormat.allCases.count]
        let content = Array(bytes.dropFirst(2))
        let expected = ZlibReference.inflate(content, as: format)
        let whole = inflated(content, as: format, pieceSize: max(1, content.count), roomSize: .max)
        promise(whole == expected, "zlib inflates to the same", found: (format, whole as Any, expected as Any))
        let (pieceSize, roomSize) = (Int(bytes[1] & 0x0F) + 1, Int(bytes[1] >> 4) * 100 + 1)
        let pieces = inflated(content, as: format, pieceSize: pieceSize * pieceSize, roomSize: roomSize)
        promise(pieces == whole, "a stream inflates to the same in pieces", found: (format, pieces as Any))

        let deflated = Deflater.deflate(content, as: format, level: Deflater.Level(Int(bytes[0] >> 4)))
        let inflated = ZlibReference.inflate(deflated, as: format)
        promise(inflated == content, "zlib inflates what was deflated", found: (format, deflated))
        checkBombs(content, as: format)
    }

    /// Returns the inflated pieces; `nil` for an error.
    private static func inflated(
        _ content: [UInt8],
        as format: DeflateFormat,
        pieceSize: Int,
        roomSize: Int
    ) -> [UInt8]? {
        let limits = InflationLimits(maximumOutput: ZlibReference.maximumOutput, ratioExemptOutput: .max)
        var inflater = Inflater(format, limits: limits)
        var output: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: pieceSize) {
            var rest = content[start..<min(start + pieceSize, content.count)]
            var isDone = false
            while !isDone {
                let before = output.count
                let progress = rest.withUnsafeBytes { bytes in
                    try? inflater.inflate(bytes, appendingTo: &output, atMost: roomSize)
                }
                guard let progress else { return nil }
                promise(progress.producedCount <= roomSize, "there is no more output than room", found: progress)
                let appendedCount = output.count - before
                promise(appendedCount == progress.producedCount, "produced bytes are appended", found: progress)
                rest = rest.dropFirst(progress.consumedCount)
                isDone = progress.producedCount < roomSize && (rest.isEmpty || progress.consumedCount == 0)
            }
        }
        do {
            try inflater.finish()
            return output
        } catch {
            return nil
        }
    }

    /// Checks that a small limit bounds the output.
    private static func checkBombs(_ content: [UInt8], as format: DeflateFormat) {
        let limits = InflationLimits(maximumOutput: 4_000, maximumRatio: 10, ratioExemptOutput: 1_000)
        guard let output = try? Inflater.inflate(content, as: format, limits: limits) else { return }
        promise(output.count <= limits.maximumOutput, "the output is within its limit", found: output.count)
        let isWithinRatio = output.count <= max(limits.ratioExemptOutput, content.count * limits.maximumRatio)
        promise(isWithinRatio, "the output is within its ratio", found: (content.count, output.count))
    }
}

/// Inflation with zlib's functions alone.
private enum ZlibReference {
    static let maximumOutput = 1 << 16

    private static let bits: [DeflateFormat: Int32] = [.gzip: 31, .zlib: 15, .raw: -15]

    /// Returns the content of a stream, or of all members of a gzip stream; `nil` if it is not valid or too large.
    static func inflate(_ content: [UInt8], as format: DeflateFormat) -> [UInt8]? {
        // zlib keeps a pointer to the stream.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, bits[format] ?? 0, ZLIB_VERSION, size) == Z_OK else {
            endUnprepared("zlib could not allocate its state")
        }
        defer { _ = inflateEnd(stream) }
        var input = content
        var output = [UInt8](repeating: 0, count: maximumOutput + 1)
        let count = input.withUnsafeMutableBufferPointer { input -> Int? in
            output.withUnsafeMutableBufferPointer { output -> Int? in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                guard inflateMembers(stream, isGzip: format == .gzip) else { return nil }
                return output.count - Int(stream.pointee.avail_out)
            }
        }
        guard let count, count <= maximumOutput else { return nil }
        return Array(output.prefix(count))
    }

    /// Inflates a stream, and the gzip members after it; returns whether all of the input is valid.
    private static func inflateMembers(_ stream: UnsafeMutablePointer<z_stream>, isGzip: Bool) -> Bool {
        while CZlib.inflate(stream, Z_FINISH) == Z_STREAM_END {
            if stream.pointee.avail_in == 0 { return true }
            guard isGzip, stream.pointee.next_in?.pointee == 0x1F, inflateReset(stream) == Z_OK else { return false }
        }
        return false
    }
}
