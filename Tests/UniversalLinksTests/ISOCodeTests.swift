import Testing
import UniversalLinks
import WaypostSchema

/// The values of `$(region)` and `$(lang)`, which are the same on every system.
@Suite struct ISOCodeTests {
    private static let letters = "abcdefghijklmnopqrstuvwxyz"

    private static func codes(_ letters: String) -> [String] {
        letters.flatMap { first in letters.map { "\(first)\($0)" } }
    }

    private static func matching(_ variable: String, _ words: [String]) throws -> Set<String> {
        let matcher = try Clowntown.matcher(#"{"/":"/$(\#(variable))"}"#)
        return Set(words.filter { matcher.outcome("/" + $0) == .match })
    }

    @Test func listsAreSortedWithoutDuplicates() {
        for codes in [ISOCodes.regions, ISOCodes.languages] {
            #expect(zip(codes, codes.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test func regionsAreInUpperCase() throws {
        let regions = try Self.matching("region", Self.codes(Self.letters.uppercased()))
        #expect(regions.count == 257)
        #expect(regions.isSuperset(of: ["US", "GB", "DE", "CA", "JP", "XK", "AC", "EA", "IC", "TA", "SS", "CW"]))
        #expect(regions.isDisjoint(with: ["UK", "AA", "ZZ", "SU", "YU", "DD", "EU", "UN", "XA", "QO"]))
        #expect(try Self.matching("region", ["us", "Us", "U", "USA", "001", "419", ""]).isEmpty)
    }

    @Test func languagesAreInLowerCase() throws {
        let languages = try Self.matching("lang", Self.codes(Self.letters))
        #expect(languages.count == 182)
        #expect(languages.isSuperset(of: ["en", "de", "fr", "ja", "he", "id", "nb", "nn", "zh", "sr"]))
        #expect(languages.isDisjoint(with: ["qq", "xx", "aq", "zz"]))
        let longer = ["haw", "yue", "gsw", "und", "mul", "zxx", "ast", "fil"]
        #expect(try Self.matching("lang", longer) == Set(longer))
        #expect(try Self.matching("lang", ["EN", "e", "eng", "en-US", "english", ""]).isEmpty)
    }
}
