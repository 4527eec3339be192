import Highlights
import Testing
import UniversalLinks
import WaypostSchema

/// The query items that say where a link was seen, not what it is about.
@Suite struct TrackingParameterTests {
    private func key(of url: String) throws -> String {
        try CanonicalLink(LinkURL(url)).key.rawValue
    }

    @Test(arguments: [
        "utm_source", "utm_medium", "utm_x", "UTM_Source", "utm_", "fbclid", "FBCLID", "gclid", "msclkid", "mc_eid",
        "igsh",
        "igshid", "%66bclid",
    ])
    func parameterIsDroppedOnEveryHost(_ name: String) throws {
        for item in [name, name + "=", name + "=b=c"] {
            #expect(try key(of: "https://a.example/?\(item)&v=1") == "https://a.example/?v=1")
            #expect(try key(of: "https://a.example/?\(item)") == "https://a.example/")
        }
    }

    @Test(arguments: [
        ("youtube.com", "si"), ("www.youtube.com", "pp"), ("m.youtube.com", "feature"), ("youtu.be", "si"),
        ("music.youtube.com", "SI"), ("open.spotify.com", "si"), ("spotify.com", "si"), ("twitter.com", "s"),
        ("mobile.twitter.com", "t"), ("x.com", "s"), ("x.com", "t"), ("www.tiktok.com", "_r"), ("vm.tiktok.com", "_t"),
    ])
    func parameterIsDroppedOnItsHosts(_ host: String, _ name: String) throws {
        #expect(try key(of: "https://\(host)/a?\(name)=1&v=2") == "https://\(host)/a?v=2")
        #expect(try key(of: "https://a.example/a?\(name)=1") == "https://a.example/a?\(name)=1")
        #expect(try key(of: "https://\(host).a.example/a?\(name)=1") == "https://\(host).a.example/a?\(name)=1")
    }

    @Test(arguments: [
        "v", "t", "list", "utm", "utmx", "xutm_source", "clid", "fbclidx", "source", "ref", "s", "id", "mc_eid_",
        "featured", "msclkidx",
    ])
    func anyOtherParameterIsKept(_ name: String) throws {
        let url = "https://youtube.com/watch?\(name)=1"
        #expect(try key(of: url) == url)
    }

    @Test func hostWithOnlyTheSameEndingIsAnotherHost() throws {
        for url in ["https://netflix.com/a?t=1", "https://notyoutube.com/a?si=1", "https://com/a?t=1"] {
            #expect(try key(of: url) == url)
        }
    }

    @Test func descriptionNamesTheParameterAsWritten() throws {
        let link = try CanonicalLink(LinkURL("https://a.example/?UTM_Source=b&fbclid=c&UTM_Source=d"))
        #expect(
            link.rewrites.map(\.description) == [
                "tracking parameter UTM_Source dropped", "tracking parameter fbclid dropped",
            ]
        )
    }
}
