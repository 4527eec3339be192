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
    init(_ header: String?) throws(GatewayFault) {
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
    private var received = 0
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
    mutating func append(_ piece: ByteBuffer) throws(GatewayFault) {
        received += piece.readableBytes
        guard received <= limits.bodySize else { throw .bodyTooLarge(limit: limits.bodySize) }
        switch coding {
        case .identity: output.append(contentsOf: piece.readableBytesView)
        case .gzip: try inflate(piece, as: .gzip)
        case .deflate: try inflate(piece, as: sniffedFormat(piece))
        }
    }

    /// Returns the whole body, once all of it is in.
    consuming func finish() throws(GatewayFault) -> [UInt8] {
        guard coding != .identity else { return output }
        guard let inflater else { throw .badEncoding(.truncated(offset: 0)) }
        do {
            try inflater.finish()
        } catch {
            throw .badEncoding(error)
        }
        return output
    }

    private func sniffedFormat(_ piece: ByteBuffer) -> DeflateFormat {
        let bytes = piece.readableBytesView.prefix(2)
        // A first piece of a single byte is rare enough to be taken for what the standard says.
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return .zlib }
        return .ofDeflateCoding(startingWith: first, second)
    }

    private mutating func inflate(_ piece: ByteBuffer, as format: DeflateFormat) throws(GatewayFault) {
        guard piece.readableBytes > 0 else { return }
        if inflater == nil { inflater = Inflater(format, limits: limits.inflation) }
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
