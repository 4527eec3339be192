/// Why a compressed input could not be inflated.
///
/// Offsets count bytes of the compressed input from its start.
public enum InflateError: Error, Equatable, Sendable {
    /// The input ended before its stream did; `offset` is where it ended.
    case truncated(offset: Int)

    /// The input is no stream of the stated format, or a checksum does not hold; `detail` is zlib's word for it.
    case corrupt(offset: Int, detail: String)

    /// Bytes follow the end of the stream.
    case trailingInput(offset: Int)

    /// The stream wants a preset dictionary (RFC 1950, 2.3), which nobody here can have.
    case dictionaryRequired(offset: Int)

    /// The output is larger than allowed; `limit` is in bytes.
    case outputLimitExceeded(limit: Int)

    /// The output grew faster than honest data does: `output` bytes out of `input` bytes, where `limit`:1 is allowed.
    case ratioLimitExceeded(limit: Int, input: Int, output: Int)
}

extension InflateError: CustomStringConvertible {
    /// A sentence for a person that names the place.
    public var description: String {
        switch self {
        case .truncated(let offset):
            "the compressed data ends at byte \(offset), before its stream does (truncated)"
        case .corrupt(let offset, let detail):
            "the compressed data is corrupt near byte \(offset): \(detail)"
        case .trailingInput(let offset):
            "bytes follow the end of the compressed stream at byte \(offset)"
        case .dictionaryRequired(let offset):
            "the compressed data asks for a preset dictionary at byte \(offset), which is not supported"
        case .outputLimitExceeded(let limit):
            "the data inflates to more than \(limit) bytes"
        case .ratioLimitExceeded(let limit, let input, let output):
            "\(input) compressed bytes inflated to \(output): more than \(limit):1 is taken for a decompression bomb"
        }
    }
}
