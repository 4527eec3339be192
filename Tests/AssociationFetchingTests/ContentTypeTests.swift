import Testing
import WaypostSchema

@testable import AssociationFetching

@Suite struct ContentTypeTests {
    @Test(arguments: [
        nil, "application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json ;charset=utf-8",
        "application/octet-stream", "application/pkcs7-mime",
    ])
    func usualContentTypeIsNotAFinding(_ contentType: String?) {
        let file = FetchedAssociation(bytes: [], source: "", contentType: contentType)
        #expect(file.contentTypeFinding == nil)
    }

    @Test(arguments: [
        ("text/html", "text/html"), ("text/plain; charset=utf-8", "text/plain; charset=utf-8"), ("", ""),
        ("application/jsonp", "application/jsonp"), ("text/application/json", "text/application/json"),
        ("a\u{1B}[31m", "a\\u{1B}[31m"), (String(repeating: "a", count: 120), String(repeating: "a", count: 120)),
        (String(repeating: "a", count: 121), String(repeating: "a", count: 120) + "…"),
    ])
    func anyOtherContentTypeIsAFinding(_ contentType: String, _ shown: String) {
        let file = FetchedAssociation(bytes: [], source: "", contentType: contentType)
        let finding = AssociationFinding(
            severity: .warning,
            code: .contentType,
            place: "",
            line: 1,
            column: 1,
            message: "the server sends the file as '\(shown)'",
            instead: "application/json"
        )
        #expect(file.contentTypeFinding == finding)
    }
}
