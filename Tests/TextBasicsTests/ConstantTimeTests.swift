import Testing
import TextBasics

/// The comparison of secrets.
@Suite struct ConstantTimeTests {
    /// Counts the bytes that a comparison reads.
    private final class ReadCounter {
        var count = 0
    }

    /// Bytes that count how often one of them is read.
    private struct CountedBytes: Collection {
        let bytes: [UInt8]
        let counter: ReadCounter

        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }

        func index(after position: Int) -> Int {
            position + 1
        }

        subscript(position: Int) -> UInt8 {
            counter.count += 1
            return bytes[position]
        }
    }

    private static let secret = Array("263be2d15fac47716bdd55e7608b7240".utf8)

    @Test func everyByteIsReadWhereverTheFirstDifferenceIs() {
        for position in Self.secret.indices {
            var guess = Self.secret
            guess[position] ^= 1
            let (left, right) = (ReadCounter(), ReadCounter())
            let isEqual = ConstantTime.isEqual(
                CountedBytes(bytes: Self.secret, counter: left),
                CountedBytes(bytes: guess, counter: right)
            )
            #expect(!isEqual)
            #expect(left.count == Self.secret.count && right.count == Self.secret.count)
        }
    }

    @Test func onlyEqualBytesAreEqual() {
        #expect(ConstantTime.isEqual(Self.secret, Self.secret))
        #expect(ConstantTime.isEqual([UInt8](), [UInt8]()))
        for position in Self.secret.indices {
            for bit in 0..<8 {
                var guess = Self.secret
                guess[position] ^= 1 << UInt8(bit)
                #expect(!ConstantTime.isEqual(Self.secret, guess))
            }
            #expect(!ConstantTime.isEqual(Self.secret, Self.secret.prefix(position)))
            #expect(!ConstantTime.isEqual(Self.secret.prefix(position), Self.secret))
        }
    }

    /// The views of strings have contiguous storage or not; the result is the same.
    @Test func stringsAndArraysAreComparedAlike() {
        let string = String(decoding: Self.secret, as: UTF8.self)
        #expect(ConstantTime.isEqual(string.utf8, Self.secret))
        #expect(ConstantTime.isEqual(string.dropFirst().utf8, Self.secret.dropFirst()))
        #expect(ConstantTime.isEqual(Self.secret.lazy.map(\.self), string.utf8))
        #expect(!ConstantTime.isEqual(string.uppercased().utf8, Self.secret))
        // Canonically equivalent texts are equal as strings, but not the same secret.
        #expect("\u{E9}" == "e\u{301}")
        #expect(!ConstantTime.isEqual("\u{E9}".utf8, "e\u{301}".utf8))
    }
}
