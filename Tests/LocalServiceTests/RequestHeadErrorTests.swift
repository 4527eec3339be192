import NIOHTTP1
import Testing

@testable import LocalService

/// The heads of requests that are refused, and the target and the host of the others (RFC 9112, section 3.2).
@Suite struct RequestHeadErrorTests {
    private func head(
        _ target: String,
        hosts: [String] = ["localhost"],
        method: HTTPMethod = .GET,
        version: HTTPVersion = .http1_1,
        isChunked: Bool = false
    ) -> HTTPRequestHead {
        var headers = HTTPHeaders(hosts.map { ("Host", $0) })
        if isChunked { headers.add(name: "transfer-encoding", value: "chunked") }
        return HTTPRequestHead(version: version, method: method, uri: target, headers: headers)
    }

    private func error(of head: HTTPRequestHead, requiringHost: Bool = true) -> RequestHeadError? {
        do throws(RequestHeadError) {
            _ = try head.checked(requiringHost: requiringHost)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [[], ["localhost", "localhost"], ["localhost", "evil.example"], ["a", "b", "c"]] as [[String]])
    func requestHasExactlyOneHost(_ hosts: [String]) {
        #expect(error(of: head("/", hosts: hosts)) == .hosts(count: hosts.count))
        #expect(error(of: head("http://localhost/", hosts: hosts)) == .hosts(count: hosts.count))
    }

    @Test func oldVersionAndUnixDomainSocketsNeedNoHost() {
        #expect(error(of: head("/", hosts: [], version: .http1_0)) == nil)
        #expect(error(of: head("/", hosts: []), requiringHost: false) == nil)
        #expect(error(of: head("/", hosts: ["a", "b"], version: .http1_0)) == .hosts(count: 2))
        #expect(error(of: head("/", hosts: ["a", "b"]), requiringHost: false) == .hosts(count: 2))
    }

    @Test func oldVersionHasNoTransferCoding() {
        #expect(error(of: head("/", version: .http1_0, isChunked: true)) == .transferCoding)
        #expect(error(of: head("/", isChunked: true)) == nil)
    }

    @Test(arguments: [
        ("http://evil.example/v1/devices?a=b", "evil.example", "/v1/devices?a=b"),
        ("HTTP://127.0.0.1:7330", "127.0.0.1:7330", "/"), ("https://[::1]:80?a", "[::1]:80", "/?a"),
        ("http://a/b://c", "a", "/b://c"),
    ])
    func hostOfATargetReplacesTheHeader(target: String, host: String, path: String) throws {
        let checkedHead = try head(target).checked(requiringHost: true)
        #expect(checkedHead.uri == path)
        #expect(checkedHead.headers["host"] == [host])
    }

    @Test(arguments: ["/", "/v1/devices?a=http://evil.example/", "//evil.example/", "*"])
    func otherTargetsStay(_ target: String) throws {
        #expect(try head(target).checked(requiringHost: true) == head(target))
        let tunnel = head("api.push.apple.com:443", method: .CONNECT)
        #expect(try tunnel.checked(requiringHost: true) == tunnel)
    }

    @Test(arguments: ["", "v1/devices", "ftp://localhost/", "http:///v1", "http://", "http://me@localhost/", "://a/"])
    func targetWithoutAHostIsRefused(_ target: String) {
        #expect(error(of: head(target)) == .target)
    }
}
