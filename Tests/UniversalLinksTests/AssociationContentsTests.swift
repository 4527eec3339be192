import Testing
import UniversalLinks

/// The comparison of two association files.
@Suite struct AssociationContentsTests {
    @Test(arguments: [
        ("{}", " {\n}\r\n"), ("\u{FEFF}{}", "{}"), ("{\"a\":[1,true,null]}", "{ \"a\" : [ 1, true, null ] }"),
        ("{\"\\/\":\"\\u0061\"}", "{\"/\":\"a\"}"), ("[]", "[ ]"),
    ])
    func spellingIsNotADifference(_ first: String, _ second: String) {
        #expect(AssociationFile.haveSameContents(Array(first.utf8), Array(second.utf8)))
    }

    @Test(arguments: [
        ("{}", "[]"), ("{\"a\":1}", "{\"a\":2}"), ("{\"a\":1}", "{\"b\":1}"), ("[1]", "[1,1]"), ("[true]", "[false]"),
        ("[\"1\"]", "[1]"), ("[null]", "[false]"), ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}"), ("{}", "{\"a\":1}"),
        ("[\"\u{E9}\"]", "[\"e\u{301}\"]"), ("{", "{"),
    ])
    func anyOtherFileIsDifferent(_ first: String, _ second: String) {
        #expect(!AssociationFile.haveSameContents(Array(first.utf8), Array(second.utf8)))
    }
}
