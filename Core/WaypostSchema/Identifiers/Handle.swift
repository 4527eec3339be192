internal import TextBasics

/// An address in Messages: a phone number or an email address.
public struct Handle: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Handle {
    /// The form in which handles are compared: the digits of a phone number, or an email address in lower case.
    ///
    /// A number with a country code and the same number without one are two handles, because the country is unknown
    /// here.
    package var normalized: String {
        let bytes = rawValue.utf8
        let isEmailAddress = bytes.contains {
            $0 == UInt8(ascii: "@") || $0 > 0x7F || (0x61...0x7A).contains($0 | 0x20)
        }
        guard !isEmailAddress else { return rawValue.lowercased() }
        let punctuation = " -.()/".utf8
        return String(decoding: bytes.filter { !punctuation.contains($0) }, as: UTF8.self)
    }
}
