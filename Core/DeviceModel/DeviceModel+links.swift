public import UniversalLinks
public import WaypostSchema

extension DeviceModel {
    /// The state of the association files that the apps need, and of published ones that they do not need, sorted.
    public var associationFiles: [AssociationFileStatus] {
        associations.records.requests.filter(associations.lists).compactMap { associations.records[$0]?.status }
    }

    /// Returns the number of installations of apps that need a file and were made since it was fetched.
    public func installationCount(of request: AssociationRequest) -> Int {
        associations.installationCount(of: request)
    }

    /// Returns the source of the last attempt to fetch a file, or `nil` if there was none.
    public func source(of request: AssociationRequest) -> String? {
        associations.records[request]?.status.source
    }

    /// Returns the association files that must be requested at `now`, sorted.
    public func filesToCheck(at now: Timestamp) -> [AssociationRequest] {
        associations.requests.filter { associations.nextCheck(of: $0) <= now }
    }

    /// The association files that the apps need, sorted.
    public var neededFiles: [AssociationRequest] {
        associations.requests
    }

    /// The time when the next file is due, or `nil` if no app needs one.
    public var nextFileCheck: Timestamp? {
        associations.requests.map(associations.nextCheck).min()
    }

    /// The errors in the associated domains of apps, as text; such apps are installed anyway.
    public var associatedDomainErrors: [String] {
        apps.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { app in
            (app.value.association?.errors ?? []).map { "app \(app.key): \($0)" }
        }
    }

    /// Returns, for each app with associated domains, whether it may be offered `url`, and why.
    ///
    /// If several may, the explanation says which of them opens.
    public func linkDecisions(on url: String) -> [LinkDecision] {
        linkDecisions(on: url, matching: (try? LinkURL(url)).map(matchingApps) ?? [])
    }

    /// An app that a URL may open, with the reason for which another one opens before it, if any.
    typealias MatchingApp = (app: BundleIdentifier, reason: String?)

    func linkDecisions(on url: String, matching matchingApps: [MatchingApp]) -> [LinkDecision] {
        apps.filter { $0.value.association != nil }
            .compactMap { app in
                var decision = app.value.association?.decision(on: url, records: associations.records, tracing: true)
                if let first = matchingApps.first?.app,
                    let reason = matchingApps.first(where: { $0.app == app.key })?.reason
                {
                    decision?.explanation += "; \(first) opens before this app: \(reason)"
                }
                return decision
            }
            .sorted { ($0.app?.rawValue ?? "") < ($1.app?.rawValue ?? "") }
    }

    /// Returns the apps that a URL may open, in the order in which it opens them.
    func matchingApps(for url: LinkURL) -> [MatchingApp] {
        let associations = apps.values.compactMap(\.association)
        return LinkAssociation.openingOrder(of: associations, for: url, records: self.associations.records)
            .compactMap { match in
                apps.first { $0.value.association?.app == match.association.app }
                    .map { (app: $0.key, reason: match.reason) }
            }
    }
}
