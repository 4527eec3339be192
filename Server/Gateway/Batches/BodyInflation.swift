internal import Deflate
internal import Hummingbird
internal import NIOCore

/// How the body of a request is coded.
enum ContentCoding: Equatable {
    case identity
    case gzip

    /// zlib by RFC 9110, or raw deflate as some clients have always sent it; the first bytes tell.
    case deflate

    /// Reads a `Content-Encoding`.
    init(_ header: String?) throws(GatewayError) {
        switch header?.lowercased() {
        case nil, "", "identity": self = .identity
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        case .some: throw .unsupportedCoding(header ?? "")
        }
    }
}

/// A body being inflated as it comes in, so that a bomb is stopped before it is whole.
struct BodyInflation: ~Copyable {
    private let coding: ContentCoding
    private let limits: BatchLimits
    private var inflater: Inflater?

    /// How many bytes of the body have come.
    private(set) var received = 0

    /// What came of a `deflate` body before its second byte, which tells its format.
    private var head = ByteBuffer()
    private var output: [UInt8] = []

    init(_ coding: ContentCoding, limits: BatchLimits) {
        self.coding = coding
        self.limits = limits
    }

    /// How many bytes the body inflated to so far.
    var count: Int {
        output.count
    }

    /// Takes the next piece of the body in.
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

    /// Returns the whole body, once all of it is in.
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
