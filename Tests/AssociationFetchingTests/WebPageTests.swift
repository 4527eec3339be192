import Testing
import WaypostSchema

@testable import AssociationFetching

/// Answers that are web pages instead of association files.
@Suite struct WebPageTests {
    @Test(
        arguments: [
            ("<!DOCTYPE html><title>Clown Town</title>", nil), ("<html></html>", "application/json"),
            (" \t\r\n<p>", nil), ("\u{FEFF}<html>", nil), ("\u{FEFF}\n<html>", nil), ("", "text/html"),
            ("Sign in", "Text/HTML; charset=utf-8"), ("[]", "application/xhtml+xml"),
        ] as [(String, String?)]
    )
    func answerIsAWebPage(_ text: String, _ contentType: String?) {
        #expect(FetchedAssociation(bytes: Array(text.utf8), source: "", contentType: contentType).isWebPage)
    }

    @Test(
        arguments: [
            ("{}", nil), ("{}", "text/html"), ("", nil), ("", "text/plain"), ("{\"<\":1}", nil), ("-<", nil),
            ("\u{FEFF}{}", "text/html"),
        ] as [(String, String?)]
    )
    func anyOtherAnswerIsNotAWebPage(_ text: String, _ contentType: String?) {
        #expect(!FetchedAssociation(bytes: Array(text.utf8), source: "", contentType: contentType).isWebPage)
    }
}
