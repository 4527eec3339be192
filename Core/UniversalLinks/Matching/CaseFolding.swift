internal import TextBasics

/// Case folding for comparisons that ignore case.
enum CaseFolding {
    /// Returns the text in lower case; a letter whose lower case is several characters stays unchanged.
    ///
    /// - Complexity: O(length).
    static func folded(_ text: some Collection<UInt8>) -> [UInt8] {
        guard text.contains(where: { $0 > 0x7F }) else { return text.map(\.lowercasedASCII) }
        var folded = String.UnicodeScalarView()
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            let lowercase = scalar.properties.lowercaseMapping.unicodeScalars
            folded.append(lowercase.count == 1 ? lowercase[lowercase.startIndex] : scalar)
        }
        return Array(String(folded).utf8)
    }
}
