import Testing
import WaypostSchema

@Suite struct TraceParentTests {
    private static let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func headerHasTheTraceAndTheSpan() throws {
        let parent = try #require(TraceParent(header: Self.valid))
        #expect(parent.rawValue == Self.valid)
        #expect(parent.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(parent.spanID == "00f067aa0ba902b7")
    }

    @Test(arguments: [
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes-later",
    ])
    func headerOfALaterVersionIsReadAsVersion00(_ header: String) {
        #expect(TraceParent(header: header)?.rawValue == Self.valid)
    }

    @Test(arguments: [
        "", "-", "00", valid + "-01", valid + " ", " " + valid, valid.uppercased(),
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473ü-00f067aa0ba902b7-01",
    ])
    func otherHeaderIsNotValid(_ header: String) {
        #expect(TraceParent(header: header) == nil)
    }

    @Test(arguments: [valid, "4bf92f3577b34da6a3ce929d0e0e4736", "4BF92F3577B34DA6A3CE929D0E0E4736"])
    func traceIsFoundByItsIdentifierOrByAHeader(_ text: String) {
        #expect(TraceID(parsing: text) == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test(arguments: ["", "4bf92f35", "00f067aa0ba902b7", "4bf92f3577b34da6a3ce929d0e0e473x"])
    func otherTextIsNoTrace(_ text: String) {
        #expect(TraceID(parsing: text) == nil)
    }

    @Test(arguments: ["", "x", "a-b"])
    func uncheckedTextHasNoPartsThatItLacks(_ text: String) {
        #expect(TraceParent(rawValue: text).spanID == "")
        #expect(TraceParent(rawValue: text).traceID.rawValue == (text == "a-b" ? "b" : ""))
    }
}
