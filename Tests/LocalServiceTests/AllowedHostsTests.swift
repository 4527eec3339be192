import LocalService
import Testing

/// The headers by which a listener recognizes the pages of other web sites.
@Suite struct AllowedHostsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var host: String?
        var origin: String?
        var site: String?
        var refusal: ForeignRequestError?

        init(_ host: String?, origin: String? = nil, site: String? = nil, _ refusal: ForeignRequestError? = nil) {
            (self.host, self.origin, self.site, self.refusal) = (host, origin, site, refusal)
        }

        var testDescription: String { "\(host ?? "-") \(origin ?? "-") \(site ?? "-")" }
    }

    private static let hosts = AllowedHosts(["Gateway.test"], suffix: ".push.apple.com")

    @Test(arguments: [
        // Programs
        Case(nil), Case("127.0.0.1"), Case("127.0.0.1:7330"), Case("127.1.2.3:80"), Case("[::1]:7330"), Case("[::1]"),
        Case("localhost"), Case("LocalHost:7330"), Case("gateway.test:7330"), Case("api.push.apple.com"),
        // Names that may point to loopback, and addresses that are not loopback
        Case("rebound.example", .host("rebound.example")), Case("rebound.example:7330", .host("rebound.example:7330")),
        Case("localhost.example", .host("localhost.example")), Case("", .host("")),
        Case("127.0.0.1.example", .host("127.0.0.1.example")), Case("10.0.0.1", .host("10.0.0.1")),
        Case("[::2]:80", .host("[::2]:80")), Case("0.0.0.0:80", .host("0.0.0.0:80")),
        Case("push.apple.com", .host("push.apple.com")), Case("evilpush.apple.com", .host("evilpush.apple.com")),
        // The pages of the listener itself
        Case("127.0.0.1:7330", origin: "http://127.0.0.1:7330", site: "same-origin"),
        Case("Gateway.test", origin: "https://gateway.test", site: "none"),
        // The pages of others
        Case("127.0.0.1:7330", origin: "http://127.0.0.1:8080", .origin("http://127.0.0.1:8080")),
        Case("127.0.0.1:7330", origin: "http://evil.example", .origin("http://evil.example")),
        Case("127.0.0.1:7330", origin: "null", .origin("null")),
        Case(nil, origin: "http://evil.example", .origin("http://evil.example")),
        Case("127.0.0.1:7330", site: "cross-site", .crossSite),
        Case("127.0.0.1:7330", site: "Cross-Site", .crossSite),
    ])
    func foreignRequestIsRefused(_ example: Case) {
        var refusal: ForeignRequestError?
        do throws(ForeignRequestError) {
            try Self.hosts.validate(host: example.host, origin: example.origin, site: example.site)
        } catch {
            refusal = error
        }
        #expect(refusal == example.refusal)
    }

    @Test(arguments: [
        Case("10.0.0.1:7330"), Case("[fd00::2]:80"), Case("0.0.0.0:80"), Case("gateway.test"),
        Case("10.0.0.1:7330", origin: "http://10.0.0.1:7330", site: "same-origin"),
        // A name may point to any address, and so may the name of a page.
        Case("rebound.example:7330", .host("rebound.example:7330")),
        Case("10.0.0.1.example", .host("10.0.0.1.example")),
        Case("10.0.0.256", .host("10.0.0.256")), Case("", .host("")), Case("1.2.3.+4", .host("1.2.3.+4")),
        Case("10.0.0.1:7330", origin: "http://evil.example", .origin("http://evil.example")),
        Case("10.0.0.1:7330", site: "cross-site", .crossSite),
    ])
    func everyAddressIsAllowedOnATrustedNetworkButNoOtherName(_ example: Case) {
        var refusal: ForeignRequestError?
        do throws(ForeignRequestError) {
            let hosts = Self.hosts.allowingAllAddresses()
            try hosts.validate(host: example.host, origin: example.origin, site: example.site)
        } catch {
            refusal = error
        }
        #expect(refusal == example.refusal)
    }

    @Test(arguments: [
        ("waypost:7330", "waypost"), ("10.0.0.1:7330", "10.0.0.1"), ("[fd00::2]:80", "fd00::2"),
        ("localhost", "localhost"),
        ("", nil), ("a b:80", nil), ("\"x\"", nil),
    ])
    func hostOfAHeaderHasNoPort(_ header: String, _ host: String?) {
        #expect(AllowedHosts.host(in: header) == host)
    }

    @Test(arguments: [("gateway.test", true), ("10.0.0.1", true), ("", false), ("a:80", false), ("http://a", false)])
    func nameHasNoPort(_ string: String, _ isValid: Bool) {
        #expect(AllowedHosts.isValidHost(string) == isValid)
    }
}
