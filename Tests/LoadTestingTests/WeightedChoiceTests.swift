import Testing

@testable import LoadTesting

@Suite struct WeightedChoiceTests {
    private static func choice(_ text: String) throws(LoadValueError) -> WeightedChoice<Int> {
        try WeightedChoice(text, hint: "use a number", { Int($0) })
    }

    @Test func oneValueNeedsNoShare() throws {
        let choice = try Self.choice("200")
        #expect(choice == WeightedChoice(200))
        #expect(choice.onlyValue == 200)
        #expect(choice.value(at: 0.99) == 200)
    }

    @Test func sharesDivideTheNumbersFrom0To1() throws {
        let choice = try Self.choice("1:10%,2:60%,3:30%")
        #expect([0, 0.09, 0.1, 0.5, 0.69, 0.71, 0.999].map(choice.value) == [1, 1, 2, 2, 2, 3, 3])
        #expect(choice.onlyValue == nil)
    }

    @Test(arguments: [
        ("", "''; use a number"),
        ("a", "'a'; use a number"),
        ("1,2", "'1' has no share; several values need shares, such as A:90%,B:10%"),
        ("1:5", "'1:5' has no share; several values need shares, such as A:90%,B:10%"),
        ("1:50%,2:60%", "'1:50%,2:60%': the shares are 110%, not 100%"),
        ("1:50%", "'1:50%': the shares are 50%, not 100%"),
    ])
    func brokenTextSaysWhatIsAccepted(_ text: String, _ message: String) {
        #expect(throws: LoadValueError(message)) { try Self.choice(text) }
    }
}
