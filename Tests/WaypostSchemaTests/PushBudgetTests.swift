import Testing
import WaypostSchema

/// Budgets for pushes with numbers that are not allowed.
@Suite struct PushBudgetTests {
    @Test(
        arguments: [
            (#"{"count":-1,"hours":1}"#, "must be at least 0"), (#"{"count":1,"hours":0}"#, "must be from 1 to 8784"),
            (#"{"count":1,"hours":8785}"#, "must be from 1 to 8784"),
        ]
    )
    func numberOutsideItsRangeIsRefused(_ text: String, _ message: String) throws {
        let error = try #require(throws: DecodingError.self) { try PushBudget(json: text) }
        #expect(error.sentence.hasSuffix(message))
    }
}
