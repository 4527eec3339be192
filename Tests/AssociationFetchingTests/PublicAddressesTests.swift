import Testing
import WaypostSchema
import WaypostTestSupport

@testable import AssociationFetching

/// Domains of apps may not lead to this machine or its network.
@Suite(.timeLimit(.minutes(5))) struct PublicAddressesTests {
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
