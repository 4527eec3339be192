internal import TextBasics
package import WaypostSchema

extension DeviceToken {
    /// The maximum number of digits of a token: it fits in a path, and is several times the length of a real token.
    package static let maximumDigitCount = 200

    /// Creates a token in its canonical form; `nil` if `string` is not hexadecimal with two digits per byte, or is too
    /// long.
    package init?(hexadecimal string: String) {
        guard (2...Self.maximumDigitCount).contains(string.utf8.count), string.utf8.count.isMultiple(of: 2),
            string.utf8.allSatisfy(\.isHexadecimalDigit)
        else {
            return nil
        }
        // Tokens usually are in this form already.
        let isLowercase = string.utf8.allSatisfy { $0 >= UInt8(ascii: "a") || $0 <= UInt8(ascii: "9") }
        self.init(rawValue: isLowercase ? string : string.lowercased())
    }
}
