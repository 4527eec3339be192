internal import UniversalLinks
public import WaypostSchema

extension DeviceModel {
    /// What the device knows of the association files that its apps need, sorted by domain.
    public var associationFiles: [AssociationFileStatus] {
        associations.records.values.map(\.status).sorted { $0.domain < $1.domain }
    }

    /// The domains to ask for their association files at `now`, sorted.
    public func domainsToAsk(at now: Timestamp) -> [AssociationRequest] {
        associations.requests.filter { associations.records[$0.domain]?.isDue(at: now) ?? true }
    }

    /// All domains whose association files the apps need, sorted.
    public var neededDomains: [AssociationRequest] {
        associations.requests
    }

    /// When the next domain is to be asked for its file; `nil` where no app needs one.
    public var nextDomainCheck: Timestamp? {
        associations.requests.compactMap { associations.records[$0.domain]?.nextCheck ?? Timestamp(milliseconds: 0) }
            .min()
    }

    /// Why entries of apps' associated domains cannot be used, in words; a device takes the app all the same.
    public var associatedDomainErrors: [String] {
        apps.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { app in
            (app.value.association?.errors ?? []).map { "app \(app.key): \($0)" }
        }
    }

    /// Returns, for each app that has associated domains, whether it may be offered what `url` is the URL of, and why.
    public func linkDecisions(on url: String) -> [LinkDecision] {
        apps.values.compactMap(\.association)
            .sorted { $0.app.rawValue < $1.app.rawValue }
            .map { $0.decision(on: url, records: associations.records, tracing: true) }
    }
}

/// A domain to be asked for its association file.
public struct AssociationRequest: Sendable, Equatable, Codable {
    /// The domain.
    public var domain: String

    /// Whether a file or a server may stand in for it, as an app is being developed.
    public var isDevelopment: Bool

    /// Creates the value from its parts.
    public init(domain: String, isDevelopment: Bool) {
        self.domain = domain
        self.isDevelopment = isDevelopment
    }
}
