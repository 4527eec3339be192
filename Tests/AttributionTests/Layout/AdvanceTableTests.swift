import Testing

@testable import Attribution

@Suite struct AdvanceTableTests {
    @Test func everyCharacterIsInTheTableOnce() {
        let characters = AdvanceTable.publishedAdvances.flatMap { Array($0.value.unicodeScalars) }
        #expect(Set(characters).count == characters.count)
    }

    @Test func everyPrintableASCIICharacterIsInTheTable() {
        let published = Set(AdvanceTable.publishedAdvances.flatMap { Array($0.value.unicodeScalars) })
        for value in UInt8(ascii: " ")...UInt8(ascii: "~") {
            #expect(published.contains(Unicode.Scalar(value)))
        }
    }

    @Test(arguments: ["ÀÁÂÃÄÅĀĂĄǍẠẢ", "èéêëēĕėęěẹẻẽếệ", "ñńņňǹ", "ŹŻŽẐ", "łĺļľḷ", "çćĉċč"])
    func letterIsAsWideAsItsBaseLetter(_ letters: String) {
        let widths = letters.unicodeScalars.map(AdvanceTable.advance)
        #expect(Set(widths).count == 1)
        #expect(widths.allSatisfy { $0 != ScalarKind.other.advance && $0 != ScalarKind.capital.advance })
    }
}
