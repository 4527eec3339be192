internal import TextBasics

/// The identifier of a trace: 32 hexadecimal digits (W3C Trace Context, section 3.2.2.3).
public struct TraceID: StringIdentifier {
    /// The number of digits.
    static let digitCount = 32

    /// The text.
    public var rawValue: String

    /// Creates the value with a text, which is not checked.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the value from a trace identifier, or from a `traceparent`; `nil` if it is neither.
    ///
    /// Letters of a trace identifier may be in either case.
    public init?(parsing string: String) {
        if let parent = TraceParent(header: string) {
            self = parent.traceID
        } else if string.utf8.count == Self.digitCount, string.utf8.allSatisfy(\.isHexadecimalDigit) {
            self.init(rawValue: string.lowercased())
        } else {
            return nil
        }
    }
}
