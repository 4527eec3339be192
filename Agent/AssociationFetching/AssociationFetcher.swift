internal import AsyncHTTPClient
internal import TextBasics
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
    private let verifyingClient: HTTPClient
    private let nonVerifyingClient: HTTPClient

    /// Creates a fetcher, which must be shut down after use.
    ///
    /// - Throws: `AssociationFailure` if the file of certificates cannot be read.
    package init(configuration: Configuration = Configuration()) throws(AssociationFailure) {
        self.configuration = configuration
        let configurations = try HTTPClient.Configuration.forAssociations(configuration)
        verifyingClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configurations.verifying)
        nonVerifyingClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configurations.trusting)
    }

    /// Ends all requests, and closes all connections.
    package func shutdown() async throws {
        let firstResult: Result<Void, any Error>
        do {
            try await verifyingClient.shutdown()
            firstResult = .success(())
        } catch {
            firstResult = .failure(error)
        }
        try await nonVerifyingClient.shutdown()
        try firstResult.get()
    }

    /// Fetches the file at `location`.
    ///
    /// - Throws: `AssociationFailure` if the file cannot be fetched. A canceled task throws one as well, which says
    ///   nothing about the server.
    package func fetch(_ location: AssociationLocation) async throws(AssociationFailure) -> FetchedAssociation {
        switch location {
        case .domain(let domain):
            let url = try url(ofDomain: domain)
            return try await withTimeout { () async throws(AssociationFailure) in
                // TLS proves that the server is the domain's, so its address may change after the check.
                _ = try await checkedAddresses(of: domain)
                return try await AssociationExchange(client: verifyingClient, url: url).fetchFile(for: location).get()
            }
        case .unverifiedDomain(let domain):
            let url = try url(ofDomain: domain)
            return try await withTimeout { () async throws(AssociationFailure) in
                try await fetchUnverified(location, url, domain: domain)
            }
        case .developmentServer(let base):
            do throws(DevelopmentServerError) {
                _ = try DevelopmentServerURL(base)
            } catch {
                throw AssociationFailure(error)
            }
            return try await withTimeout { () async throws(AssociationFailure) in
                let exchange = AssociationExchange(client: nonVerifyingClient, url: location.source)
                return try await exchange.fetchFile(for: location).get()
            }
        case .localFile(let path):
            return FetchedAssociation(bytes: try LocalAssociationFile.bytes(at: path), source: location.source)
        }
    }

    /// Returns the URL of a domain's file; the domain must not change other parts of the URL.
    private func url(ofDomain domain: String) throws(AssociationFailure) -> String {
        guard AssociatedDomain.isDomainName(domain) else {
            throw .unreachable("'\(domain.safe(for: .excerpt))' is not a domain; use a name such as clowntown.example")
        }
        return "https://\(domain):\(configuration.port)\(AssociationLocation.path)"
    }

    /// Returns the addresses of a domain, or `nil` if any address is allowed.
    private func checkedAddresses(of domain: String) async throws(AssociationFailure) -> [String]? {
        configuration.allowsPrivateAddresses ? nil : try await PublicAddresses.addresses(of: domain)
    }

    /// The maximum number of addresses of a domain to try.
    private static let maximumAddressCount = 4

    /// Fetches a domain's file from the checked addresses, even if the domain has other addresses by then.
    private func fetchUnverified(
        _ location: AssociationLocation,
        _ url: String,
        domain: String
    ) async throws(AssociationFailure) -> FetchedAssociation {
        guard let addresses = try await checkedAddresses(of: domain)?.prefix(Self.maximumAddressCount) else {
            return try await AssociationExchange(client: nonVerifyingClient, url: url).fetchFile(for: location).get()
        }
        var failure = AssociationFailure.timedOut
        for address in addresses {
            var attemptConfiguration = configuration
            attemptConfiguration.timeout = configuration.timeout / addresses.count
            var clientConfiguration = try HTTPClient.Configuration.forAssociations(attemptConfiguration).trusting
            clientConfiguration.dnsOverride = [domain: address]
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clientConfiguration)
            let outcome = await AssociationExchange(client: client, url: url).fetchFile(for: location)
            // A client without requests shuts down without an error.
            try? await client.shutdown()
            switch outcome {
            case .success(let file): return file
            case .failure(let error) where [.unreachable, .timedOut].contains(error.code): failure = error
            case .failure(let error): throw error
            }
        }
        throw failure
    }

    /// Returns the result of `work`, which is canceled after the time-out.
    private func withTimeout(
        _ work: @escaping @Sendable () async throws(AssociationFailure) -> FetchedAssociation
    ) async throws(AssociationFailure) -> FetchedAssociation {
        let timeout = configuration.timeout
        let outcome = await withTaskGroup(of: Result<FetchedAssociation, AssociationFailure>.self) { group in
            group.addTask {
                do throws(AssociationFailure) {
                    return .success(try await work())
                } catch {
                    return .failure(error)
                }
            }
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
