import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The handles that the device creates.
@Suite struct UnguessableHandleTests {
    /// A generator of two numbers that counts its calls.
    private struct TwoNumbers: RandomNumberGenerator {
        var numbers: [UInt64]
        var count = 0

        mutating func next() -> UInt64 {
            defer { count += 1 }
            return numbers[count % numbers.count]
        }
    }

    private func handle(_ first: UInt64, _ second: UInt64) -> AttributionViewID {
        var numbers = TwoNumbers(numbers: [first, second])
        let handle = AttributionViewID.unguessable(using: &numbers)
        #expect(numbers.count == 2)
        return handle
    }

    @Test(.proves("B63")) func everyRandomBitIsInTheHandle() {
        var handles: Set<AttributionViewID> = [handle(0, 0)]
        for bit in 0..<64 {
            handles.insert(handle(1 << bit, 0))
            handles.insert(handle(0, 1 << bit))
        }
        #expect(handles.count == 129)
        #expect(handle(.max, .max) != handle(.max, .max - 1))
    }

    @Test func handleHasTwentySixLettersAndDigits() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let text = AttributionViewID.unguessable(using: &generator).rawValue
            #expect(text.utf8.count == 26)
            #expect(text.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".contains($0) })
        }
    }

    @Test func handlesAreDistinct() {
        var generator = SeededGenerator(seed: 8)
        let handles = Set((0..<10_000).map { _ in AttributionViewID.unguessable(using: &generator) })
        #expect(handles.count == 10_000)
        // The handles are only as unpredictable as the generator: with a known seed they repeat.
        var (first, second) = (SeededGenerator(seed: 9), SeededGenerator(seed: 9))
        #expect(AttributionViewID.unguessable(using: &first) == .unguessable(using: &second))
    }
}
