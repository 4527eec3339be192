internal import Deflate
internal import Hummingbird
internal import NIOCore

/// The content coding of a request's body.
enum ContentCoding: Equatable {
    case identity
    case gzip

    /// zlib by RFC 9110, or raw deflate as some clients have always sent it; the first two bytes distinguish them.
    case deflate

    /// Reads a `Content-Encoding` header.
    init(_ header: String?) throws(GatewayError) {
        switch header?.lowercased() {
        case nil, "", "identity": self = .identity
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        case .some: throw .unsupportedCoding(header ?? "")
        }
    }
}

/// A body that is inflated while it arrives, so that a decompression bomb is stopped early.
struct BodyInflation: ~Copyable {
    private let coding: ContentCoding
    private let limits: BatchLimits
    private var inflater: Inflater?

    /// The number of received bytes.
    private(set) var receivedBytes = 0

    /// The start of a `deflate` body, kept until its second byte reveals the format.
    private var head = ByteBuffer()
    private var output: [UInt8] = []

    init(_ coding: ContentCoding, limits: BatchLimits) {
        self.coding = coding
        self.limits = limits
    }

    /// The maximum number of bytes to inflate before more memory is reserved.
    private static let maximumStepSize = 64 << 10

    /// Appends the next chunk of the body.
    ///
    /// - Parameters:
    ///   - chunk: the chunk.
    ///   - reserve: called before each step with the maximum size in bytes of the inflated body after it.
    /// - Throws: `GatewayError` if the body cannot be inflated or is too large, and any error of `reserve`.
    mutating func append(
        _ chunk: ByteBuffer,
        reserve: (_ count: Int) throws(GatewayError) -> Void = { _ in }
    ) throws(GatewayError) {
        receivedBytes += chunk.readableBytes
        guard receivedBytes <= limits.bodySize else { throw .bodyTooLarge(limit: limits.bodySize) }
        switch coding {
        case .identity:
            try reserve(output.count + chunk.readableBytes)
            output.append(contentsOf: chunk.readableBytesView)
        case .gzip:
            if inflater == nil { inflater = Inflater(.gzip, limits: limits.inflation) }
            try inflate(chunk, reserve)
        case .deflate: try inflateSniffing(chunk, reserve)
        }
    }

    /// Returns the whole body, after its last chunk.
    consuming func finish() throws(GatewayError) -> [UInt8] {
        guard coding != .identity else { return output }
        guard let inflater else { throw .badEncoding(.truncated(offset: receivedBytes)) }
        do {
            try inflater.finish()
        } catch {
            throw .badEncoding(error)
        }
        return output
    }

    private mutating func inflateSniffing(
        _ chunk: ByteBuffer,
        _ reserve: (Int) throws(GatewayError) -> Void
    ) throws(GatewayError) {
        guard inflater == nil else { return try inflate(chunk, reserve) }
        head.writeImmutableBuffer(chunk)
        guard let start = head.getBytes(at: head.readerIndex, length: 2) else { return }
        inflater = Inflater(.detect(firstByte: start[0], secondByte: start[1]), limits: limits.inflation)
        try inflate(head, reserve)
        head.clear()
    }

    private mutating func inflate(
        _ chunk: ByteBuffer,
        _ reserve: (Int) throws(GatewayError) -> Void
    ) throws(GatewayError) {
        var remaining = chunk
        var isDone = false
        while !isDone {
            try reserve(output.count + Self.maximumStepSize)
            guard let progress = try inflateStep(remaining) else { return }
            remaining.moveReaderIndex(forwardBy: progress.consumedCount)
            isDone = progress.producedCount == 0 && (progress.consumedCount == 0 || remaining.readableBytes == 0)
        }
    }

    private mutating func inflateStep(_ remaining: ByteBuffer) throws(GatewayError) -> StreamProgress? {
        do {
            return try remaining.withUnsafeReadableBytes { bytes in
                try inflater?.inflate(bytes, appendingTo: &output, atMost: Self.maximumStepSize)
            }
        } catch let error as InflateError {
            throw .badEncoding(error)
        } catch {
            throw .internalError
        }
    }
}
