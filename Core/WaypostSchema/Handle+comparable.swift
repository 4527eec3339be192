extension Handle {
    /// The form in which handles are compared: digits of a number, letters of an address in lower case.
    ///
    /// A number with a country code and the same number without one are two handles, as nothing here knows the country.
    package var comparable: String {
        let bytes = rawValue.utf8
        let isAddress = bytes.contains { $0 == UInt8(ascii: "@") || $0 > 0x7F || (0x61...0x7A).contains($0 | 0x20) }
        guard !isAddress else { return rawValue.lowercased() }
        let punctuation = " -.()/".utf8
        return String(decoding: bytes.filter { !punctuation.contains($0) }, as: UTF8.self)
    }
}
