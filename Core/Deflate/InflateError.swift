/// The reason why a compressed input could not be inflated.
///
/// Offsets are bytes of the compressed input, from its start.
public enum InflateError: Error, Equatable, Sendable {
    /// The input ended before its stream; `offset` is the end of the input.
    case truncated(offset: Int)

    /// The input is not a stream of the stated format, or a checksum does not match; `detail` is zlib's message.
    case corrupt(offset: Int, detail: String)

    /// Bytes follow the end of the stream.
    case trailingInput(offset: Int)

    /// The stream requires a preset dictionary (RFC 1950, 2.3), which is not supported.
    case dictionaryRequired(offset: Int)

    /// The output is larger than `limit` bytes.
    case outputLimitExceeded(limit: Int)

    /// The output grew suspiciously fast: `input` bytes became `output` bytes, but at most `limit`:1 is allowed.
    case ratioLimitExceeded(limit: Int, input: Int, output: Int)
}

extension InflateError: CustomStringConvertible {
    /// A human-readable sentence that names the position.
    public var description: String {
        switch self {
        case .truncated(let offset):
            "the compressed data is truncated: it ends at byte \(offset), before the end of its stream"
        case .corrupt(let offset, let detail):
            "the compressed data is corrupt near byte \(offset): \(detail)"
        case .trailingInput(let offset):
            "unexpected bytes follow the end of the compressed stream at byte \(offset)"
        case .dictionaryRequired(let offset):
            "the compressed data requires a preset dictionary at byte \(offset), which is not supported"
        case .outputLimitExceeded(let limit):
            "the data inflates to more than \(limit) bytes"
        case .ratioLimitExceeded(let limit, let input, let output):
            "\(input) compressed bytes inflated to \(output): more than \(limit):1 is rejected as a decompression bomb"
        }
    }
}
