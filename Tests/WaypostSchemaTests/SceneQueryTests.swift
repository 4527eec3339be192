import Testing
import WaypostSchema

/// Each carrier of a target content identifier has only its own fields.
@Suite struct SceneQueryTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var query: SceneQuery
        var testDescription: String { text }
    }

    @Test(arguments: [
        Case(text: "{}", query: .notification(nil)),
        Case(text: #"{"targetContentIdentifier":"a"}"#, query: .notification("a")),
        Case(text: #"{"carrier":"notification","targetContentIdentifier":"a"}"#, query: .notification("a")),
        Case(text: #"{"carrier":"shortcutItem","targetContentIdentifier":"a"}"#, query: .shortcutItem("a")),
        Case(text: #"{"carrier":"userActivity"}"#, query: .userActivity(nil)),
        Case(text: #"{"webpageURL":"https://a"}"#, query: .userActivity(nil, webpageURL: "https://a")),
        Case(
            text: #"{"targetContentIdentifier":"a","webpageURL":"https://a"}"#,
            query: .userActivity("a", webpageURL: "https://a")
        ),
        Case(text: #"{"url":"app://a"}"#, query: .urlContext("app://a")),
        Case(text: #"{"carrier":"urlContext","url":"app://a"}"#, query: .urlContext("app://a")),
    ])
    func fieldsDetermineTheCarrier(_ example: Case) throws {
        let query = try SceneQuery(json: example.text)
        #expect(query == example.query)
        #expect(try SceneQuery(json: query.json()) == query)
    }

    @Test(
        arguments: [
            (#"{"carrier":"notification","webpageURL":"https://a"}"#, "webpageURL"),
            (#"{"carrier":"shortcutItem","url":"app://a"}"#, "url"),
            (#"{"carrier":"urlContext"}"#, "url"),
            (#"{"url":"app://a","targetContentIdentifier":"a"}"#, "targetContentIdentifier"),
            (#"{"url":"app://a","webpageURL":"https://a"}"#, "webpageURL"),
        ]
    )
    func fieldOfAnotherCarrierIsRefusedByName(_ text: String, _ field: String) throws {
        let error = try #require(throws: DecodingError.self) { try SceneQuery(json: text) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == [field])
    }

    @Test func unknownCarrierIsRefusedWithTheKnownOnes() throws {
        let error = try #require(throws: DecodingError.self) { try SceneQuery(json: #"{"carrier":"pigeon"}"#) }
        #expect(
            error.sentence == "'carrier': 'pigeon' is not one of notification, shortcutItem, userActivity, urlContext"
        )
    }
}
