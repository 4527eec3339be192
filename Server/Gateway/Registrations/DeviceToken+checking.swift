internal import WaypostSchema

extension DeviceToken {
    /// The most digits of a token: what fits in a path, and some times those of a real one.
    static let maximumDigits = 200

    /// Creates a token in its one spelling, with lowercase digits.
    ///
    /// - Throws: `GatewayError.malformedBody` where it is not hexadecimal, two digits a byte.
    init(checking token: DeviceToken) throws(GatewayError) {
        guard let spelled = DeviceToken(hexadecimal: token.rawValue) else {
            throw .malformedBody("'token' must be hexadecimal digits, two a byte, \(Self.maximumDigits) at most")
        }
        self = spelled
    }

    /// Creates a token in its one spelling; `nil` where `text` is not hexadecimal, two digits a byte, or is too long.
    init?(hexadecimal text: String) {
        guard (2...Self.maximumDigits).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2),
            text.utf8.allSatisfy(\.isHexadecimalDigit)
        else {
            return nil
        }
        self.init(rawValue: text.lowercased())
    }
}

extension UInt8 {
    /// Whether this is a hexadecimal digit in ASCII.
    var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
