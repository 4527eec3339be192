import Testing
import WaypostSchema
import WaypostTestSupport

@testable import AssociationFetching

/// Domains of apps may not lead to this machine or its network.
@Suite(.timeLimit(.minutes(1))) struct PublicAddressesTests {
    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.0.1.1", "198.17.0.1",
        "223.255.255.255", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
    func addressIsOnTheInternet(_ text: String) throws {
        #expect(PublicAddresses.isPublic(try #require(PublicAddresses.Address(text))))
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "198.19.255.255", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::127.0.0.1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::169.254.169.254", "2002:7f00:1::1", "2002:a00:1::1",
    ])
    func addressIsNotOnTheInternet(_ text: String) throws {
        #expect(!PublicAddresses.isPublic(try #require(PublicAddresses.Address(text))))
    }

    @Test(arguments: ["127.0.0.1", "8.8.8.8", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "a.1", "0x"])
    func addressIsNoDomain(_ host: String) async throws {
        for location in [AssociationLocation.domain(host), .unverifiedDomain(host)] {
            let outcome = try await AssociationFetcher.outcome(of: location, allowsPrivateAddresses: false)
            #expect(outcome.failure?.message == "'\(host)' is an address; use a name such as clowntown.example")
        }
    }

    @Test func nameOfLoopbackGetsNoConnection() async throws {
        try await AssociationServer.run(.answers([.head(200, []), .end]), TestCertificate("DNS:localhost")) { server in
            for location in [AssociationLocation.domain("localhost"), .unverifiedDomain("localhost")] {
                let outcome = try await AssociationFetcher.outcome(
                    of: location,
                    port: server.port,
                    allowsPrivateAddresses: false
                )
                let failure = try #require(outcome.failure)
                #expect(failure.code == .unreachable)
                #expect(failure.message.contains("which is not on the internet"), "\(failure.message)")
                #expect(failure.message.contains("associatedDomainsDevelopment"))
            }
            // The server was never asked.
            let outcome = try await AssociationFetcher.outcome(of: .unverifiedDomain("localhost"), port: server.port)
            #expect(outcome.failure == nil)
            var requests = server.requests.makeAsyncIterator()
            #expect(await requests.next() != nil)
        }
    }
}

@Suite struct DomainAddressTests {
    @Test(arguments: ["clowntown.example", "1.example", "a.0b", "localhost", "xn--a.0xg"])
    func nameIsNoAddress(_ host: String) {
        #expect(!PublicAddresses.isAddress(host))
    }
}
