internal import WaypostSchema

extension AssociationComparison {
    /// Asks a domain's server as a device and as Apple's fetcher, and the CDN if there is one, all at the same time.
    ///
    /// - Parameters:
    ///   - origin: the file on the domain's server.
    ///   - cdn: the copy on the CDN; `nil` to ask no CDN.
    ///   - client: the client for the requests.
    /// - Returns: the comparison of the answers.
    package static func fetch(
        _ origin: AssociationLocation,
        cdn: AssociationLocation?,
        with client: AssociationFetcher
    ) async -> Self {
        async let answerToDevice = client.answer(at: origin, as: .device)
        async let answerToApple = client.answer(at: origin, as: .appleFetcher)
        async let answerOfCDN = client.answer(atOptional: cdn)
        return await Self(
            answerToDevice: answerToDevice,
            answerToApple: answerToApple,
            answerOfCDN: answerOfCDN
        )
    }
}

extension AssociationFetcher {
    /// Returns the answer of the server at a location.
    fileprivate func answer(
        at location: AssociationLocation,
        as userAgent: AssociationUserAgent
    ) async -> AssociationServerAnswer {
        let outcome: Result<FetchedAssociation, AssociationFailure>
        do throws(AssociationFailure) {
            outcome = .success(try await fetch(location, as: userAgent))
        } catch {
            outcome = .failure(error)
        }
        return AssociationServerAnswer(source: location.source, outcome: outcome)
    }

    /// Returns the answer of the server at a location, or `nil` if there is no location.
    fileprivate func answer(atOptional location: AssociationLocation?) async -> AssociationServerAnswer? {
        guard let location else { return nil }
        return await answer(at: location, as: .device)
    }
}
