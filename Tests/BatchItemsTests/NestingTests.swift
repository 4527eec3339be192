import BatchItems
import JSONScanning
import Testing

/// RFC 8259, section 9, allows a parser to set a limit; this one counts the item as the first level.
@Suite struct NestingTests {
    private static let limit = 128

    struct Case: CustomTestStringConvertible {
        var name: String
        var open: String
        var close: String

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "arrays", open: "[", close: "]"),
        Case(name: "objects", open: #"{"a":"#, close: "}"),
        Case(name: "arrays with white space", open: " [ 0, ", close: " ] "),
    ]

    /// Returns `levels` nested arrays or objects around a number.
    private func nest(_ example: Case, _ levels: Int) -> String {
        String(repeating: example.open, count: levels) + "0" + String(repeating: example.close, count: levels)
    }

    @Test(arguments: cases)
    func deepestLevelIsSkipped(_ example: Case) {
        #expect(scanError(item(withUnknown: nest(example, Self.limit - 1))) == nil)
    }

    @Test(arguments: cases)
    func levelBeyondTheDeepestIsRefusedAtItsOpening(_ example: Case) throws {
        let bytes = item(withUnknown: nest(example, Self.limit))
        let opening = example.open.contains("[") ? UInt8(ascii: "[") : UInt8(ascii: "{")
        let last = try #require(bytes.lastIndex(of: opening))
        #expect(jsonError(bytes)?.problem == .tooDeep(limit: Self.limit))
        #expect(jsonError(bytes)?.offset == last)
    }

    @Test func payloadIsTheSecondLevel() {
        let objects = Self.cases[1]
        let item = { (levels: Int) in Array(#"{"token":"a","topic":"b","payload":\#(self.nest(objects, levels))}"#.utf8)
        }
        #expect(scanError(item(Self.limit - 1)) == nil)
        #expect(jsonError(item(Self.limit))?.problem == .tooDeep(limit: Self.limit))
    }

    @Test func valueOtherThanAnItemHasTheSameLimit() {
        let arrays = Self.cases[0]
        #expect(scanError(Array(nest(arrays, Self.limit).utf8))?.problem == .notAnObject)
        let beyond = jsonError(Array(nest(arrays, Self.limit + 1).utf8))
        #expect(beyond?.problem == .tooDeep(limit: Self.limit))
        #expect(beyond?.offset == Self.limit)
    }

    @Test func fieldOfTheWrongTypeHasTheSameLimit() {
        let value = nest(Self.cases[0], Self.limit)
        #expect(jsonError(Array(#"{"token":\#(value)}"#.utf8))?.problem == .tooDeep(limit: Self.limit))
    }

    @Test func neighborsDoNotAddUp() {
        let value = "[" + Array(repeating: nest(Self.cases[1], 100), count: 3).joined(separator: ",") + "]"
        #expect(scanError(item(withUnknown: value)) == nil)
    }

    @Test(arguments: ["[", #"{"a":"#])
    func extremeNestingIsRefusedAtTheLimit(open: String) {
        let abyss = Array(String(repeating: open, count: 200_000).utf8)
        #expect(jsonError(abyss)?.problem == .tooDeep(limit: Self.limit))
        #expect(jsonError(abyss)?.offset == Self.limit * open.utf8.count)
    }
}
