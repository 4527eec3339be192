import LocalService
import Testing

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:7330", ListenAddress("127.0.0.1", port: 7_330)), ("[::1]:0", ListenAddress("::1", port: 0)),
        ("localhost:65535", ListenAddress("localhost", port: 65_535)),
        ("example.com:80", ListenAddress("example.com", port: 80)),
    ])
    func addressIsParsedAndFormatted(_ text: String, _ address: ListenAddress) {
        #expect(ListenAddress(text) == address)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", ":1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:x", "::1:80", "[]:80", "[::1:80",
        "[[::1]:80", "[::1]]:80", "[localhost]:80", "a]:80",
    ])
    func otherTextIsNotAnAddress(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.3", true), ("::1", true), ("localhost", true), ("0.0.0.0", false),
        ("127.0.0", false), ("127.0.0.256", false), ("0127.0.0.1", false), ("+127.0.0.1", false), ("127.0.0.01", false),
        ("127.0.0.1.example.com", false), ("::", false),
        ("192.168.0.1", false), ("example.com", false),
    ])
    func onlyLocalHostsAreLoopback(_ host: String, _ isLoopback: Bool) {
        #expect(ListenAddress(host, port: 0).isLoopback == isLoopback)
    }

    @Test func urlHasBracketsAroundIPv6() {
        #expect(ListenAddress("::1", port: 0).url(port: 7_330) == "http://[::1]:7330")
        #expect(ListenAddress(port: 0).url(port: 443, isSecure: true) == "https://127.0.0.1:443")
    }

    @Test(arguments: [
        ("http://127.0.0.1:7330", ListenAddress("127.0.0.1", port: 7_330)),
        ("http://127.0.0.1:7330/", ListenAddress("127.0.0.1", port: 7_330)),
        ("http://[::1]:80", ListenAddress("::1", port: 80)),
        ("http://localhost:5", ListenAddress("localhost", port: 5)),
        ("https://localhost:5", nil),
        ("http://localhost", nil),
        ("http://localhost:5/path", nil),
        ("localhost:5", nil),
        ("", nil),
    ])
    func baseURLOfAListenerHasAHostAndAPort(_ url: String, _ address: ListenAddress?) {
        #expect(ListenAddress(url: url) == address)
    }

    @Test func schemeOfTheURLIsTheOneThatIsAskedFor() {
        #expect(ListenAddress(url: "https://localhost:5", scheme: "https") == ListenAddress("localhost", port: 5))
        #expect(ListenAddress(url: "http://localhost:5", scheme: "https") == nil)
    }
}
