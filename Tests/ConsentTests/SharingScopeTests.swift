import Foundation
import Testing
import WaypostSchema

@Suite struct SharingScopeTests {
    private static let cases: [(SharingScope, String)] = [
        (.everywhere, #"{"everywhere":true}"#),
        (.app("com.example.tv"), #"{"app":"com.example.tv"}"#),
        (.conversation("family"), #"{"conversation":"family"}"#),
    ]

    @Test(arguments: cases)
    func scopeIsAnObjectThatNamesItsSubject(scope: SharingScope, json: String) throws {
        #expect(try String(decoding: JSONEncoder().encode(scope), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(SharingScope.self, from: Data(json.utf8)) == scope)
    }

    @Test func scopeWithAnAppAndAConversationIsRefused() {
        let json = Data(#"{"app":"com.example.tv","conversation":"family"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SharingScope.self, from: json) }
    }
}
