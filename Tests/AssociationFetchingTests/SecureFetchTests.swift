import Testing
import WaypostSchema
import WaypostTestSupport

@testable import AssociationFetching

@Suite(.timeLimit(.minutes(5))) struct SecureFetchTests {
    static let steps: [AssociationServer.Step] = [.head(200, []), .bytes(ClownTownFile.bytes), .end]

    @Test func domainNeedsATrustedCertificate() async throws {
        try await AssociationServer.run(.answers(Self.steps), TestCertificate("DNS:localhost")) { server in
            let outcome = try await AssociationFetcher.outcome(of: .domain("localhost"), port: server.port)
            let message = "the server's certificate is not trusted or not valid now; serve one that devices trust"
            #expect(outcome.failure == AssociationFailure(code: .untrusted, message: message))
        }
    }

    @Test func certificateIsTrustedIfItsRootIs() async throws {
        let certificate = try await TestCertificate("DNS:localhost")
        try await AssociationServer.run(.answers(Self.steps), certificate) { server in
            let outcome = try await AssociationFetcher.outcome(
                of: .domain("localhost"),
                port: server.port,
                trustRoots: certificate.path
            )
            let file = try outcome.get()
            #expect(file.bytes == ClownTownFile.bytes)
            #expect(file.source == "https://localhost/.well-known/apple-app-site-association")
        }
    }

    @Test func certificateMustNameTheDomain() async throws {
        let certificate = try await TestCertificate("DNS:clowntown.example")
        try await AssociationServer.run(.answers(Self.steps), certificate) { server in
            let outcome = try await AssociationFetcher.outcome(
                of: .domain("localhost"),
                port: server.port,
                trustRoots: certificate.path
            )
            let message = "the server's certificate is not for this name; serve a certificate for it"
            #expect(outcome.failure == AssociationFailure(code: .untrusted, message: message))
        }
    }

    /// The first address has no server, and the domain has no address of its own, so only the checked ones are used.
    @Test(
        arguments: [("DNS:clowntown.example", nil), ("DNS:other.example", .untrusted)]
            as [(String, AssociationFailure.Code?)]
    )
    func domainIsFetchedFromItsCheckedAddresses(_ names: String, _ code: AssociationFailure.Code?) async throws {
        let certificate = try await TestCertificate(names)
        try await AssociationServer.run(.answers(Self.steps), certificate) { server in
            var configuration = AssociationFetcher.Configuration()
            configuration.timeout = AssociationFetcher.unhurried
            configuration.port = server.port
            configuration.trustRoots = certificate.path
            let fetcher = try AssociationFetcher(configuration: configuration)
            let outcome: Result<FetchedAssociation, AssociationFailure>
            do throws(AssociationFailure) {
                outcome = .success(
                    try await fetcher.fetch(
                        .domain("clowntown.example"),
                        ofDomain: "clowntown.example",
                        at: ["127.0.0.2", "127.0.0.1"],
                        as: .device
                    )
                )
            } catch {
                outcome = .failure(error)
            }
            fetcher.shutdown()
            #expect(outcome.failure?.code == code)
            #expect((try? outcome.get())?.bytes == (code == nil ? ClownTownFile.bytes : nil))
        }
    }

    @Test(arguments: ["DNS:localhost,IP:127.0.0.1", "DNS:clowntown.example"])
    func developmentServerMayHaveAnyCertificate(_ names: String) async throws {
        try await AssociationServer.run(.answers(Self.steps), TestCertificate(names)) { server in
            let file = try await AssociationFetcher.outcome(of: .developmentServer(server.secureBase)).get()
            #expect(file.bytes == ClownTownFile.bytes)
        }
    }

    @Test func serverWithoutTLSIsUntrusted() async throws {
        try await AssociationServer.run(.says("HTTP/1.1 400 Bad Request\r\n\r\n")) { server in
            let outcome = try await AssociationFetcher.outcome(of: .domain("localhost"), port: server.port)
            let message = "the server does not use TLS on this port; serve the file over https"
            #expect(outcome.failure == AssociationFailure(code: .untrusted, message: message))
        }
    }

    @Test func serverThatIsSilentInTheHandshakeTimesOut() async throws {
        try await AssociationServer.run(.says("")) { server in
            let location = AssociationLocation.domain("localhost")
            let outcome = try await AssociationFetcher.outcome(
                of: location,
                timeout: .milliseconds(200),
                port: server.port
            )
            #expect(outcome.failure == AssociationFailure(code: .timedOut, message: BadAnswer.inTime))
        }
    }

    /// The time-out of the fetcher is longer than the time limit of the test.
    @Test func cancellationDoesNotWaitForASilentHandshake() async throws {
        try await AssociationServer.run(.says("")) { server in
            let (port, connections) = (server.port, server.connections)
            let failure = try await withThrowingTaskGroup(of: AssociationFailure?.self) { group in
                group.addTask { try await AssociationFetcher.outcome(of: .domain("localhost"), port: port).failure }
                for await _ in connections { break }
                group.cancelAll()
                return try await group.next()
            }
            #expect(failure == AssociationFailure.canceled)
        }
    }

    @Test func cancellationDoesNotWaitForACheckedAddress() async throws {
        try await AssociationServer.run(.says("")) { server in
            var configuration = AssociationFetcher.Configuration()
            configuration.timeout = AssociationFetcher.unhurried
            configuration.port = server.port
            let fetcher = try AssociationFetcher(configuration: configuration)
            let connections = server.connections
            let failure = await withTaskGroup(of: AssociationFailure?.self) { group in
                group.addTask {
                    do throws(AssociationFailure) {
                        let (name, addresses) = ("clowntown.example", ["127.0.0.1", "127.0.0.2"])
                        _ = try await fetcher.fetch(.domain(name), ofDomain: name, at: addresses, as: .device)
                        return nil
                    } catch {
                        return error
                    }
                }
                for await _ in connections { break }
                group.cancelAll()
                return await group.next()
            }
            fetcher.shutdown()
            #expect(failure == AssociationFailure.canceled)
        }
    }

    @Test func closedSecureConnectionIsNotUntrusted() async throws {
        let steps: [AssociationServer.Step] = [
            .head(200, [("content-length", "1000")]), .bytes(ClownTownFile.bytes), .close,
        ]
        try await AssociationServer.run(.answers(steps), TestCertificate("IP:127.0.0.1")) { server in
            let outcome = try await AssociationFetcher.outcome(of: .developmentServer(server.secureBase))
            #expect(outcome.failure == AssociationFailure(code: .unreachable, message: BadAnswer.closed))
        }
    }

    @Test(arguments: ["missing.pem", "empty.pem"]) func unreadableTrustRootsAreReported(_ name: String) throws {
        let folder = try ScratchFolder()
        _ = try folder.write([], to: "empty.pem")
        var configuration = AssociationFetcher.Configuration()
        configuration.trustRoots = folder.path(of: name)
        let failure = #expect(throws: AssociationFailure.self) { try AssociationFetcher(configuration: configuration) }
        let message = "'\(folder.path(of: name))' cannot be read as a PEM file of certificates to trust"
        #expect(failure == AssociationFailure(code: .unreadable, message: message))
    }
}
