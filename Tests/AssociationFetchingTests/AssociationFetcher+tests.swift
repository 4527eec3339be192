import AssociationFetching
import WaypostSchema

extension AssociationFetcher {
    /// A time-out that no test reaches.
    static let unhurried = Duration.seconds(600)

    /// Fetches with a new fetcher, and returns the outcome.
    static func outcome(
        of location: AssociationLocation,
        as userAgent: AssociationUserAgent = .device,
        timeout: Duration = unhurried,
        port: Int = 443,
        trustRoots: String? = nil,
        allowsPrivateAddresses: Bool = true
    ) async throws -> Result<FetchedAssociation, AssociationFailure> {
        var configuration = Configuration()
        configuration.timeout = timeout
        configuration.port = port
        configuration.trustRoots = trustRoots
        configuration.allowsPrivateAddresses = allowsPrivateAddresses
        let fetcher = try AssociationFetcher(configuration: configuration)
        let outcome: Result<FetchedAssociation, AssociationFailure>
        do throws(AssociationFailure) {
            outcome = .success(try await fetcher.fetch(location, as: userAgent))
        } catch {
            outcome = .failure(error)
        }
        fetcher.shutdown()
        return outcome
    }
}

extension Result {
    /// The error, or `nil` if the result is a success.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
