internal import TextBasics

/// The place of a request in a distributed trace: the value of a `traceparent` header in version 00.
///
/// Source: W3C Trace Context, section 3.2.
public struct TraceParent: StringIdentifier {
    /// The text, such as `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
    public var rawValue: String

    /// Creates the value with a text, which is not checked.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the value of a header; `nil` if it is not valid.
    ///
    /// A header of a later version is read as far as version 00 defines it (section 4).
    public init?(header: String) {
        let parts = header.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 4, parts.count == 4 || !parts[0].elementsEqual("00".utf8),
            parts.prefix(4).map(\.count) == [2, TraceID.digitCount, 16, 2],
            parts.prefix(4).allSatisfy({ $0.allSatisfy(\.isLowercaseHexadecimalDigit) }),
            !parts[0].elementsEqual("ff".utf8),
            parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } })
        else {
            return nil
        }
        self.init(rawValue: "00-\(String(Substring(parts[1])))-\(Substring(parts[2]))-\(Substring(parts[3]))")
    }

    /// The identifier of the trace; empty if the text was not checked and is not valid.
    public var traceID: TraceID {
        TraceID(rawValue: part(1))
    }

    /// The identifier of the request in the trace, in 16 digits; empty if the text was not checked and is not valid.
    public var spanID: String {
        part(2)
    }

    private func part(_ index: Int) -> String {
        let parts = rawValue.split(separator: "-")
        return parts.count > index ? String(parts[index]) : ""
    }
}

extension UInt8 {
    fileprivate var isLowercaseHexadecimalDigit: Bool {
        isHexadecimalDigit && !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(self)
    }
}
