internal import AsyncHTTPClient
internal import UniversalLinks
package import WaypostSchema

/// A client that fetches the apple-app-site-association files of domains, as a device does.
///
/// It does not check the contents of the files.
package struct AssociationFetcher: Sendable {
    /// The settings of a fetcher.
    package struct Configuration: Sendable {
        /// The time-out for a file, from the connection to the last byte.
        package var timeout = Duration.seconds(10)

        /// The port of the domains' servers.
        package var port = 443

        /// The path of a PEM file with certificates to trust in addition to the system's.
        package var trustRoots: String?

        /// Whether domains may have addresses that are not on the internet, such as loopback.
        package var allowsPrivateAddresses = false

        /// Creates the configuration of a device.
        package init() {}
    }

    private let configuration: Configuration
    private let verifying: HTTPClient
    private let trusting: HTTPClient

    /// Creates a fetcher, which must be shut down after use.
    ///
    /// - Throws: `AssociationFailure` if the file of certificates cannot be read.
    package init(configuration: Configuration = Configuration()) throws(AssociationFailure) {
        self.configuration = configuration
        let clients = try HTTPClient.Configuration.forAssociations(configuration)
        verifying = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clients.verifying)
        trusting = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clients.trusting)
    }

    /// Ends all requests, and closes all connections.
    package func shutdown() async throws {
        let first: Result<Void, any Error>
        do {
            try await verifying.shutdown()
            first = .success(())
        } catch {
            first = .failure(error)
        }
        try await trusting.shutdown()
        try first.get()
    }

    /// Fetches the file at `location`.
    ///
    /// - Throws: `AssociationFailure` if the file cannot be fetched. A canceled task throws one as well, which says
    ///   nothing about the server.
    package func fetch(_ location: AssociationLocation) async throws(AssociationFailure) -> FetchedAssociation {
        switch location {
        case .domain(let domain):
            // TLS proves that the server is the domain's, so its address may change after the check.
            _ = try await checkedAddress(of: domain)
            return try await fetch(location, AssociationExchange(http: verifying, url: try url(ofDomain: domain)))
        case .unverifiedDomain(let domain):
            return try await fetch(location, unverified: domain)
        case .developmentServer(let base):
            do throws(DevelopmentServerError) {
                _ = try DevelopmentServerURL(base)
            } catch {
                throw AssociationFailure(error)
            }
            return try await fetch(location, AssociationExchange(http: trusting, url: location.source))
        case .localFile(let path):
            return FetchedAssociation(bytes: try LocalAssociationFile.bytes(at: path), source: location.source)
        }
    }

    /// Returns the URL of a domain's file; the domain must not change other parts of the URL.
    private func url(ofDomain domain: String) throws(AssociationFailure) -> String {
        guard AssociatedDomain.isName(domain) else {
            throw .unreachable("'\(domain.excerpt)' is not a domain; use a name such as clowntown.example")
        }
        return "https://\(domain):\(configuration.port)\(AssociationLocation.path)"
    }

    /// Returns the address of a domain, or `nil` if any address is allowed.
    private func checkedAddress(of domain: String) async throws(AssociationFailure) -> String? {
        configuration.allowsPrivateAddresses ? nil : try await PublicAddresses.address(of: domain)
    }

    /// Fetches a domain's file from the address that was checked, whatever the name's address is by then.
    private func fetch(
        _ location: AssociationLocation,
        unverified domain: String
    ) async throws(AssociationFailure) -> FetchedAssociation {
        let url = try url(ofDomain: domain)
        guard let address = try await checkedAddress(of: domain) else {
            return try await fetch(location, AssociationExchange(http: trusting, url: url))
        }
        var clients = try HTTPClient.Configuration.forAssociations(configuration).trusting
        clients.dnsOverride = [domain: address]
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clients)
        let outcome: Result<FetchedAssociation, AssociationFailure>
        do throws(AssociationFailure) {
            outcome = .success(try await fetch(location, AssociationExchange(http: http, url: url)))
        } catch {
            outcome = .failure(error)
        }
        // A client without requests shuts down without an error.
        try? await http.shutdown()
        return try outcome.get()
    }

    /// Sends a request, and cancels it after the time-out.
    private func fetch(
        _ location: AssociationLocation,
        _ request: AssociationExchange
    ) async throws(AssociationFailure) -> FetchedAssociation {
        let timeout = configuration.timeout
        let outcome = await withTaskGroup(of: Result<FetchedAssociation, AssociationFailure>.self) { group in
            group.addTask { await request.outcome(for: location) }
            group.addTask {
                do {
                    try await Task.sleep(for: timeout)
                    return .failure(.timedOut)
                } catch {
                    return .failure(.canceled)
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? .failure(.canceled)
        }
        return try outcome.get()
    }
}
