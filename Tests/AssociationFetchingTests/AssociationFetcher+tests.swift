import AssociationFetching
import WaypostSchema

extension AssociationFetcher {
    /// Longer than any test takes.
    static let unhurried = Duration.seconds(600)

    /// Fetches with a fetcher of its own and returns how that ended.
    static func outcome(
        of location: AssociationLocation,
        timeout: Duration = unhurried,
        port: Int = 443,
        trustRoots: String? = nil
    ) async throws -> Result<FetchedAssociation, AssociationFailure> {
        var configuration = Configuration()
        configuration.timeout = timeout
        configuration.port = port
        configuration.trustRoots = trustRoots
        let fetcher = try AssociationFetcher(configuration: configuration)
        let outcome: Result<FetchedAssociation, AssociationFailure>
        do throws(AssociationFailure) {
            outcome = .success(try await fetcher.fetch(location))
        } catch {
            outcome = .failure(error)
        }
        try await fetcher.shutdown()
        return outcome
    }
}

extension Result {
    /// Why it is no success; `nil` where it is one.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
