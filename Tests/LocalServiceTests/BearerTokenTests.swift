import LocalService
import Testing

@Suite struct BearerTokenTests {
    @Test(arguments: ["Bearer abc", "bearer abc", "BEARER   abc", "Bearer\tabc"])
    func schemeIsCaseInsensitive(_ header: String) {
        #expect(bearerToken(in: header) == "abc")
    }

    @Test(arguments: [nil, "", "abc", "Bearer", "Bearer ", "Bearer  \t", "Basic abc", "Bearerabc"])
    func otherHeaderHasNoToken(_ header: String?) {
        #expect(bearerToken(in: header) == nil)
    }
}
