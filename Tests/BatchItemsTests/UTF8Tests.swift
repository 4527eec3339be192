import BatchItems
import JSONScanning
import Testing

/// RFC 8259, section 8.1, by table 3-7 of the Unicode standard, version 15.
@Suite struct UTF8Tests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]

        var testDescription: String { "\(name): \(bytes.map { String($0, radix: 16, uppercase: true) })" }

        init(_ name: String, _ bytes: UInt8...) {
            self.name = name
            self.bytes = bytes
        }
    }

    static let illFormed = [
        Case("continuation alone", 0x80),
        Case("continuation alone", 0xBF),
        Case("overlong U+0000", 0xC0, 0x80),
        Case("overlong U+007F", 0xC1, 0xBF),
        Case("overlong U+0000", 0xE0, 0x80, 0x80),
        Case("overlong U+07FF", 0xE0, 0x9F, 0xBF),
        Case("overlong U+FFFF", 0xF0, 0x8F, 0xBF, 0xBF),
        Case("surrogate U+D800", 0xED, 0xA0, 0x80),
        Case("surrogate U+DFFF", 0xED, 0xBF, 0xBF),
        Case("surrogate pair", 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80),
        Case("U+110000", 0xF4, 0x90, 0x80, 0x80),
        Case("invalid lead byte", 0xF5, 0x80, 0x80, 0x80),
        Case("five bytes", 0xF8, 0x88, 0x80, 0x80, 0x80),
        Case("invalid lead byte", 0xFE),
        Case("invalid lead byte", 0xFF),
        Case("one of two", 0xC2),
        Case("one of three", 0xE1),
        Case("two of three", 0xE1, 0x80),
        Case("one of four", 0xF1),
        Case("two of four", 0xF1, 0x80),
        Case("three of four", 0xF1, 0x80, 0x80),
        Case("second byte low", 0xC2, 0x7F),
        Case("second byte high", 0xDF, 0xC0),
        Case("third byte low", 0xE1, 0x80, 0x7F),
        Case("third byte high", 0xEF, 0x80, 0xC0),
        Case("fourth byte low", 0xF1, 0x80, 0x80, 0x7F),
        Case("fourth byte high", 0xF3, 0x80, 0x80, 0xC0),
    ]

    /// The first and the last scalar of every row of the table.
    static let boundaries: [Unicode.Scalar] = [
        "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{CFFF}", "\u{D000}", "\u{D7FF}", "\u{E000}",
        "\u{FFFF}",
        "\u{10000}", "\u{3FFFF}", "\u{40000}", "\u{FFFFF}", "\u{100000}", "\u{10FFFF}",
    ]

    @Test(arguments: illFormed)
    func illFormedSequenceIsRefusedAtItsStart(_ example: Case) {
        for before in [#"{"a":""#, #"{""#, #"{"token":""#, #"{"payload":{"é":"ü"#] {
            for after in [#""}"#, "", "x"] {
                let error = jsonError(Array(before.utf8) + example.bytes + Array(after.utf8))
                #expect(error?.problem == .invalidUTF8)
                #expect(error?.offset == before.utf8.count)
            }
        }
    }

    @Test(arguments: boundaries)
    func firstAndLastScalarOfEachRowAreValid(scalar: Unicode.Scalar) {
        #expect(scanError(item(withUnknown: "\"\(Character(scalar))\"")) == nil)
    }

    /// A scalar must not be completed by bytes of the next line.
    @Test func scalarEndsAtTheEndOfTheItem() throws {
        let bytes = Array(#"{"a":"é"#.utf8)
        let error = #expect(throws: ScannedItemError.self) {
            try ScannedItem.scan(bytes, in: 0..<(bytes.count - 1))
        }
        #expect(error?.offset == bytes.count - 2)
    }

    @Test(arguments: UInt8(0x80)...0xFF)
    func everyPairOfFirstBytesIsJudgedAsByTheStandardLibrary(lead: UInt8) {
        for second in UInt8.min...UInt8.max where second != UInt8(ascii: "\"") && second != UInt8(ascii: "\\") {
            for rest in [[], [0x80], [0xBF, 0x80]] as [[UInt8]] {
                let text = [lead, second] + rest
                let isText = String(validating: text, as: UTF8.self) != nil && second >= 0x20
                let error = jsonError([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
                #expect((error == nil) == isText, "\(text)")
            }
        }
    }
}
