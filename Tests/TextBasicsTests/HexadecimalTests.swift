import Testing
import TextBasics

/// Hexadecimal digits, and UUIDs, which consist of them.
@Suite struct HexadecimalTests {
    @Test func eachByteIsTwoDigits() {
        #expect(Hexadecimal.string([0, 0x0A, 0xA0, 0xFF] as [UInt8]) == "000aa0ff")
        #expect(Hexadecimal.string([] as [UInt8]) == "")
    }

    @Test func numberHasTheDigitsOfItsType() {
        #expect(Hexadecimal.string(0 as UInt16) == "0000")
        #expect(Hexadecimal.string(0xAB as UInt32) == "000000ab")
        #expect(Hexadecimal.string(UInt64.max) == "ffffffffffffffff")
    }

    @Test func digitsAreOfEitherCase() {
        #expect(Hexadecimal.digits(of: 0xA7) == (UInt8(ascii: "a"), UInt8(ascii: "7")))
        #expect(Hexadecimal.uppercaseDigits(of: 0xA7) == (UInt8(ascii: "A"), UInt8(ascii: "7")))
    }

    @Test(arguments: [
        (0x00 as UInt8, 4 as UInt8, "00000000-0000-4000-8000-000000000000"),
        (0xFF, 4, "ffffffff-ffff-4fff-bfff-ffffffffffff"), (0xFF, 8, "ffffffff-ffff-8fff-bfff-ffffffffffff"),
        (0x1A, 8, "1a1a1a1a-1a1a-8a1a-9a1a-1a1a1a1a1a1a"),
    ])
    func uuidHasItsVersionAndVariant(_ byte: UInt8, version: UInt8, expected: String) {
        let uuid = UUIDString.make(Array(repeating: byte, count: 16), version: version)
        #expect(uuid == expected)
        #expect(uuid.isCanonicalUUID)
    }

    @Test(arguments: [
        "", "1a1a1a1a1a1a8a1a9a1a1a1a1a1a1a1a", "{1a1a1a1a-1a1a-8a1a-9a1a-1a1a1a1a1a1a}",
        "1a1a1a1a-1a1a-8a1a-9a1a-1a1a1a1a1a1", "1a1a1a1g-1a1a-8a1a-9a1a-1a1a1a1a1a1a",
    ])
    func otherFormsAreNotUUIDs(_ text: String) {
        #expect(!text.isCanonicalUUID)
    }

    @Test func setHasItsCharactersOnly() {
        let set = ASCIISet("-.~".utf8)
        #expect((0...UInt8.max).filter(set.contains) == Array("-.~".utf8))
    }
}
