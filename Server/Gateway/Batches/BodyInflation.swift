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

    /// The inflated size of the received part of the body, in bytes.
    var count: Int {
        output.count
    }

    /// Appends the next piece of the body.
    mutating func append(_ piece: ByteBuffer) throws(GatewayError) {
        received += piece.readableBytes
        guard received <= limits.bodySize else { throw .bodyTooLarge(limit: limits.bodySize) }
        switch coding {
        case .identity: output.append(contentsOf: piece.readableBytesView)
        case .gzip:
            if inflater == nil { inflater = Inflater(.gzip, limits: limits.inflation) }
            try inflate(piece)
        case .deflate: try inflateSniffing(piece)
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

    private mutating func inflateSniffing(_ piece: ByteBuffer) throws(GatewayError) {
        guard inflater == nil else { return try inflate(piece) }
        head.writeImmutableBuffer(piece)
        guard let start = head.getBytes(at: head.readerIndex, length: 2) else { return }
        inflater = Inflater(.ofDeflateCoding(startingWith: start[0], start[1]), limits: limits.inflation)
        try inflate(head)
        head.clear()
    }

    private mutating func inflate(_ piece: ByteBuffer) throws(GatewayError) {
        guard piece.readableBytes > 0 else { return }
        do {
            try piece.withUnsafeReadableBytes { bytes in
                _ = try inflater?.inflate(bytes, appendingTo: &output, atMost: .max)
            }
        } catch let error as InflateError {
            throw .badEncoding(error)
        } catch {
            throw .internalError
        }
    }
}
