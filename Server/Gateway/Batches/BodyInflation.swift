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
    private(set) var received = 0

    /// The start of a `deflate` body, kept until its second byte reveals the format.
    private var head = ByteBuffer()
    private var output: [UInt8] = []

    init(_ coding: ContentCoding, limits: BatchLimits) {
        self.coding = coding
        self.limits = limits
    }

    /// The most bytes that are inflated before memory for more is reserved.
    private static let step = 64 << 10

    /// Appends the next piece of the body.
    ///
    /// - Parameters:
    ///   - piece: the piece.
    ///   - reserve: called with the size in bytes that the inflated body is about to have at most.
    /// - Throws: `GatewayError` if the body cannot be inflated or is too large, and any error of `reserve`.
    mutating func append(
        _ piece: ByteBuffer,
        reserve: (_ count: Int) throws(GatewayError) -> Void = { _ in }
    ) throws(GatewayError) {
        received += piece.readableBytes
        guard received <= limits.bodySize else { throw .bodyTooLarge(limit: limits.bodySize) }
        switch coding {
        case .identity:
            try reserve(output.count + piece.readableBytes)
            output.append(contentsOf: piece.readableBytesView)
        case .gzip:
            if inflater == nil { inflater = Inflater(.gzip, limits: limits.inflation) }
            try inflate(piece, reserve)
        case .deflate: try inflateSniffing(piece, reserve)
        }
    }

    /// Returns the whole body, after its last piece.
    consuming func finish() throws(GatewayError) -> [UInt8] {
        guard coding != .identity else { return output }
        guard let inflater else { throw .badEncoding(.truncated(offset: received)) }
        do {
            try inflater.finish()
        } catch {
            throw .badEncoding(error)
        }
        return output
    }

    private mutating func inflateSniffing(
        _ piece: ByteBuffer,
        _ reserve: (Int) throws(GatewayError) -> Void
    ) throws(GatewayError) {
        guard inflater == nil else { return try inflate(piece, reserve) }
        head.writeImmutableBuffer(piece)
        guard let start = head.getBytes(at: head.readerIndex, length: 2) else { return }
        inflater = Inflater(.ofDeflateCoding(startingWith: start[0], start[1]), limits: limits.inflation)
        try inflate(head, reserve)
        head.clear()
    }

    private mutating func inflate(
        _ piece: ByteBuffer,
        _ reserve: (Int) throws(GatewayError) -> Void
    ) throws(GatewayError) {
        var rest = piece
        var isDone = false
        while !isDone {
            try reserve(output.count + Self.step)
            guard let progress = try inflateStep(rest) else { return }
            rest.moveReaderIndex(forwardBy: progress.consumed)
            isDone = progress.produced == 0 && (progress.consumed == 0 || rest.readableBytes == 0)
        }
    }

    private mutating func inflateStep(_ rest: ByteBuffer) throws(GatewayError) -> StreamProgress? {
        do {
            return try rest.withUnsafeReadableBytes { bytes in
                try inflater?.inflate(bytes, appendingTo: &output, atMost: Self.step)
            }
        } catch let error as InflateError {
            throw .badEncoding(error)
        } catch {
            throw .internalError
        }
    }
}
