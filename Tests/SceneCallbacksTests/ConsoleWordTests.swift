import Foundation
import SceneCallbacks
import Testing
import WaypostSchema
import WaypostTestSupport

/// The console shows the codes of callbacks and the kinds of tokens in words; one without words would appear as it is.
@Suite struct ConsoleWordTests {
    private static let codes: [String] =
        SourceMark.allCases.map(\.rawValue)
        + [EventPart.announcement, .event, .repetition].map(\.rawValue)
        + [EventFate.once, .twice, .lost].map(\.rawValue)
        + TokenPurpose.Kind.allCases.map(\.rawValue)

    @Test func everyCodeHasWords() throws {
        let url = Repository.root.appending(path: "Server/CConsole/page/words.js")
        let text = try String(contentsOf: url, encoding: .utf8)
        for code in Self.codes { #expect(text.contains("\n\(code)|"), "\(code)") }
    }
}
