internal import UniversalLinks
public import WaypostSchema

extension DeviceModel {
    /// The state of the association files that the device's apps need, sorted by domain.
    public var associationFiles: [AssociationFileStatus] {
        associations.records.values.map(\.status).sorted { $0.domain < $1.domain }
    }

    /// Returns the domains whose association files must be checked at `now`, sorted.
    public func domainsToCheck(at now: Timestamp) -> [AssociationRequest] {
        associations.requests.filter { associations.records[$0.domain]?.isDue(at: now) ?? true }
    }

    /// The domains whose association files the apps need, sorted.
    public var neededDomains: [AssociationRequest] {
        associations.requests
    }

    /// The time when the next domain is due, or `nil` if no app needs a file.
    public var nextDomainCheck: Timestamp? {
        associations.requests.compactMap { associations.records[$0.domain]?.nextCheck ?? Timestamp(milliseconds: 0) }
            .min()
    }

    /// The errors in the associated domains of apps, as text; such apps are installed anyway.
    public var associatedDomainErrors: [String] {
        apps.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { app in
            (app.value.association?.errors ?? []).map { "app \(app.key): \($0)" }
        }
    }

    /// Returns, for each app with associated domains, whether it may be offered `url`, and why.
    public func linkDecisions(on url: String) -> [LinkDecision] {
        apps.values.compactMap(\.association)
            .sorted { $0.app.rawValue < $1.app.rawValue }
            .map { $0.decision(on: url, records: associations.records, tracing: true) }
    }
}

/// A domain whose association file is to be fetched.
public struct AssociationRequest: Sendable, Equatable, Codable {
    /// The domain.
    public var domain: String

    /// Whether a file or a server may replace the domain's during the development of an app.
    public var isDevelopment: Bool

    /// Creates the value from its parts.
    public init(domain: String, isDevelopment: Bool) {
        self.domain = domain
        self.isDevelopment = isDevelopment
    }
}
