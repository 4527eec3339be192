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

    /// Ends all requests, and closes all connections, without waiting for that.
    package func shutdown() {
        verifyingClient.endWithoutWaiting()
        nonVerifyingClient.endWithoutWaiting()
    }

    /// Fetches the file at `location`.
    ///
    /// - Parameters:
    ///   - location: the location of the file.
    ///   - userAgent: the client that the request names.
    /// - Returns: the file.
    /// - Throws: `AssociationFailure` if the file cannot be fetched. A canceled task throws one as well, which says
    ///   nothing about the server.
    package func fetch(
        _ location: AssociationLocation,
        as userAgent: AssociationUserAgent = .device
    ) async throws(AssociationFailure) -> FetchedAssociation {
        switch location {
        case .domain(let domain):
            return try await fetch(location, ofDomain: domain, with: verifyingClient, as: userAgent)
        case .unverifiedDomain(let domain):
            return try await fetch(location, ofDomain: domain, with: nonVerifyingClient, as: userAgent)
        case .developmentServer(let base):
            try Self.checkServerURL(base)
            return try await fetch(location, with: nonVerifyingClient, as: userAgent)
        case .cdn(let base, let domain):
            try Self.checkServerURL(base)
            try Self.checkDomain(domain)
            return try await fetch(location, with: verifyingClient, as: userAgent)
        case .localFile(let path):
            return FetchedAssociation(bytes: try LocalAssociationFile.bytes(at: path), source: location.source)
        }
    }

    /// Fetches the file from a server that the user named by its URL.
    private func fetch(
        _ location: AssociationLocation,
        with client: HTTPClient,
        as userAgent: AssociationUserAgent
    ) async throws(AssociationFailure) -> FetchedAssociation {
        let exchange = AssociationExchange(client: client, url: location.source, userAgent: userAgent)
        return try await withTimeout { () async throws(AssociationFailure) in
            try await exchange.fetchFile(for: location).get()
        }
    }

    /// Checks that a string is the URL of a server that a user can name.
    private static func checkServerURL(_ string: String) throws(AssociationFailure) {
        do throws(DevelopmentServerError) {
            _ = try DevelopmentServerURL(string)
        } catch {
            throw AssociationFailure(error)
        }
    }

    /// Checks that a domain is a name, so that it does not change other parts of a URL.
    private static func checkDomain(_ domain: String) throws(AssociationFailure) {
        guard AssociatedDomain.isDomainName(domain) else {
            throw .unreachable("'\(domain.safe(for: .excerpt))' is not a domain; use a name such as clowntown.example")
        }
    }

    /// Returns the URL of a domain's file.
    private func url(ofDomain domain: String) throws(AssociationFailure) -> String {
        try Self.checkDomain(domain)
        return "https://\(domain):\(configuration.port)\(AssociationLocation.path)"
    }

    /// Returns the addresses of a domain, or `nil` if any address is allowed.
    private func checkedAddresses(of domain: String) async throws(AssociationFailure) -> [String]? {
        configuration.allowsPrivateAddresses ? nil : try await PublicAddresses.addresses(of: domain)
    }

    /// The maximum number of addresses of a domain to try.
    private static let maximumAddressCount = 4

    /// Fetches a domain's file from its own server.
    ///
    /// - Parameters:
    ///   - location: the location of the file.
    ///   - domain: the domain.
    ///   - client: the client to use if any address is allowed.
    ///   - userAgent: the client that the request names.
    /// - Returns: the file.
    /// - Throws: `AssociationFailure` if the file cannot be fetched.
    private func fetch(
        _ location: AssociationLocation,
        ofDomain domain: String,
        with client: HTTPClient,
        as userAgent: AssociationUserAgent
    ) async throws(AssociationFailure) -> FetchedAssociation {
        let url = try url(ofDomain: domain)
        return try await withTimeout { () async throws(AssociationFailure) in
            guard let addresses = try await checkedAddresses(of: domain) else {
                let exchange = AssociationExchange(client: client, url: url, userAgent: userAgent)
                return try await exchange.fetchFile(for: location).get()
            }
            return try await fetch(location, ofDomain: domain, at: addresses, as: userAgent)
        }
    }

    /// Fetches a domain's file from the checked addresses, even if the domain has other addresses by then.
    ///
    /// Otherwise an app's author could learn from the failures which servers this machine can reach.
    func fetch(
        _ location: AssociationLocation,
        ofDomain domain: String,
        at checkedAddresses: [String],
        as userAgent: AssociationUserAgent
    ) async throws(AssociationFailure) -> FetchedAssociation {
        let (url, addresses) = (try url(ofDomain: domain), checkedAddresses.prefix(Self.maximumAddressCount))
        var failure = AssociationFailure.timedOut
        for address in addresses {
            var attemptConfiguration = configuration
            attemptConfiguration.timeout = configuration.timeout / addresses.count
            let configurations = try HTTPClient.Configuration.forAssociations(attemptConfiguration)
            var clientConfiguration = location == .domain(domain) ? configurations.verifying : configurations.trusting
            clientConfiguration.dnsOverride = [domain: address]
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clientConfiguration)
            let exchange = AssociationExchange(client: client, url: url, userAgent: userAgent)
            let outcome = await exchange.fetchFile(for: location)
            client.endWithoutWaiting()
            switch outcome {
            case .success(let file): return file
            case .failure(.canceled): throw .canceled
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
