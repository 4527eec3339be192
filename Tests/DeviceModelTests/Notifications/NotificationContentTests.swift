import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct NotificationContentTests {
    struct Case: CustomTestStringConvertible {
        var payload: String
        var title: String?
        var body: String?
        var identifier: TargetContentIdentifier?
        var testDescription: String { payload }
    }

    @Test(
        .proves("N1"),
        arguments: [
            Case(payload: #"{"aps":{"alert":"Crusty is here"}}"#, body: "Crusty is here"),
            Case(payload: #"{"aps":{"alert":{"title":"Crusty"}}}"#, title: "Crusty"),
            Case(payload: #"{"aps":{"alert":{"body":"is here"}}}"#, body: "is here"),
            Case(payload: #"{"aps":{"alert":{"title":"Crusty","body":"is here"}}}"#, title: "Crusty", body: "is here"),
            Case(payload: #"{"aps":{"alert":{"subtitle":"a clown","loc-key":"HERE"}}}"#, body: "HERE"),
        ]
    )
    func alertIsAStringOrADictionary(_ example: Case) throws {
        try expectContent(example)
    }

    @Test(
        .proves("T9", "T30", "T31"),
        arguments: [
            Case(payload: #"{"aps":{"target-content-id":"clowns/crusty"}}"#, identifier: "clowns/crusty"),
            Case(payload: #"{"aps":{"target-content-id":""}}"#, identifier: ""),
            Case(payload: #"{"target-content-id":"outside aps"}"#),
            Case(payload: #"{"aps":{"Target-Content-ID":"other case"}}"#),
            Case(
                payload: #"{"aps":{"alert":"A","target-content-id":"crusty"},"x":1}"#,
                body: "A",
                identifier: "crusty"
            ),
        ]
    )
    func identifierIsTheTargetContentIDOfAps(_ example: Case) throws {
        try expectContent(example)
    }

    @Test(
        .proves("T22"),
        arguments: [
            "{}", #"{"aps":{}}"#, #"{"aps":null}"#, #"{"aps":"alert"}"#, #"{"aps":[{"alert":"A"}]}"#, "[]", "null", "7",
            #""aps""#,
            #"{"aps":{"alert":7}}"#, #"{"aps":{"alert":null}}"#, #"{"aps":{"alert":["A"]}}"#,
            #"{"aps":{"alert":true}}"#,
            #"{"aps":{"alert":{"title":7,"body":["A"]}}}"#, #"{"aps":{"alert":{"title":null,"body":{}}}}"#,
            #"{"aps":{"target-content-id":7}}"#, #"{"aps":{"target-content-id":null}}"#,
            #"{"aps":{"target-content-id":["crusty"]}}"#, #"{"aps":{"target-content-id":{"id":"crusty"}}}"#,
        ]
    )
    func absentMemberOrMemberOfAnotherTypeIsNil(_ payload: String) throws {
        try expectContent(Case(payload: payload))
    }

    @Test(arguments: [(false, "outer"), (true, "inner")])
    func soundOfALiveActivityIsInsideTheAlert(_ isLiveActivity: Bool, _ name: String) throws {
        let text = #"{"aps":{"alert":{"title":"Honk","sound":"inner"},"sound":"outer"}}"#
        let payload = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let content = NotificationContent(payload: payload, isLiveActivity: isLiveActivity)
        #expect(content.sound?.name == name)
    }

    private func expectContent(_ example: Case) throws {
        let payload = try JSONDecoder().decode(JSONValue.self, from: Data(example.payload.utf8))
        let content = NotificationContent(payload: payload)
        #expect(content.title == example.title)
        #expect(content.body == example.body)
        #expect(content.targetContentIdentifier == example.identifier)
    }
}
