internal import AsyncHTTPClient
internal import UniversalLinks
package import WaypostSchema

/// Fetches the apple-app-site-association files of domains, as a device does.
///
/// What a file holds is not looked at here.
package struct AssociationFetcher: Sendable {
    /// What a fetcher needs to know.
    package struct Configuration: Sendable {
        /// The longest that it takes to have a file, from the connection to the last byte.
        package var timeout = Duration.seconds(10)

        /// The port of the domains' servers.
        package var port = 443

        /// The path of a PEM file of certificates to trust beside the system's.
        package var trustRoots: String?

        /// Creates the configuration that devices have.
        package init() {}
    }

    private let configuration: Configuration
    private let verifying: HTTPClient
    private let trusting: HTTPClient

    /// Creates a fetcher, which is to be shut down.
    ///
    /// - Throws: `AssociationFailure` where the file of certificates cannot be read.
    package init(configuration: Configuration = Configuration()) throws(AssociationFailure) {
        self.configuration = configuration
        let clients = try HTTPClient.Configuration.forAssociations(configuration)
        verifying = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clients.verifying)
        trusting = HTTPClient(eventLoopGroupProvider: .singleton, configuration: clients.trusting)
    }

    /// Ends what is under way, and all connections.
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

    /// Fetches the file that is at `location`.
    ///
    /// - Throws: `AssociationFailure` where the file could not be had. A task that is cancelled throws one as well,
    ///   which says nothing about the server.
    package func fetch(_ location: AssociationLocation) async throws(AssociationFailure) -> FetchedAssociation {
        switch location {
        case .domain(let domain):
            let url = try url(ofDomain: domain)
            return try await fetch(location, AssociationExchange(http: verifying, url: url))
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

    /// Returns where the file of a domain is, the name of which must not turn into another part of the URL.
    private func url(ofDomain domain: String) throws(AssociationFailure) -> String {
        guard AssociatedDomain.isName(domain) else {
            throw .unreachable("'\(domain.excerpt)' is no domain; write a name such as clowntown.example")
        }
        return "https://\(domain):\(configuration.port)\(AssociationLocation.path)"
    }

    /// Makes a request, and gives it up once its time is over.
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
