import LocalService
import Testing

@Suite struct SecureRandomBytesTests {
    @Test func bytesHaveTheirNumber() {
        let source = SecureRandomBytes()
        for count in [0, 1, 16, 31, 4_095, 4_096, 4_097, 100_000, 16] { #expect(source.take(count).count == count) }
    }

    @Test func noByteIsUsedTwice() {
        let source = SecureRandomBytes()
        // A repetition of eight bytes by chance has a probability of about one in 10^11.
        let taken = (0..<20_000).map { _ in source.take(8) }
        #expect(Set(taken).count == taken.count)
    }

    @Test func threadsGetDifferentBytes() async {
        let source = SecureRandomBytes()
        let taken = await withTaskGroup { tasks in
            for _ in 0..<8 { tasks.addTask { (0..<1_000).map { _ in source.take(16) } } }
            return await tasks.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(taken).count == 8_000)
    }

    @Test func everyValueOccursAboutEquallyOften() {
        let source = SecureRandomBytes()
        var counts = [Int](repeating: 0, count: 256)
        for byte in (0..<256).flatMap({ _ in source.take(1_000) }) { counts[Int(byte)] += 1 }
        // 1,000 of each are expected, with a deviation of 32.
        #expect(counts.allSatisfy { (800...1_200).contains($0) })
    }
}
