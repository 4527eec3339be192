internal import TextBasics
package import WaypostSchema

extension DeviceToken {
    /// The maximum number of digits of a token: it fits in a path, and is several times the length of a real token.
    package static let maximumDigits = 200

    /// Creates a token in its canonical form; `nil` if `text` is not hexadecimal with two digits per byte, or is too
    /// long.
    package init?(hexadecimal text: String) {
        guard (2...Self.maximumDigits).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2),
            text.utf8.allSatisfy(\.isHexadecimalDigit)
        else {
            return nil
        }
        // Tokens usually are in this form already.
        let isLowercase = text.utf8.allSatisfy { $0 >= UInt8(ascii: "a") || $0 <= UInt8(ascii: "9") }
        self.init(rawValue: isLowercase ? text : text.lowercased())
    }
}
