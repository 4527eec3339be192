import DeviceModel
import WaypostSchema

/// The app, the domain and the file that the tests of links use.
enum ClownTown {
    static let app: ApplicationIdentifier = "ABCDE12345.com.example.clowntown"
    static let domain = "clowntown.example"
    static let url = "https://clowntown.example/clowns/crusty"

    /// Returns a file that offers the paths of `pattern` to each of `apps`.
    static func file(_ pattern: String = "/clowns/*", for apps: ApplicationIdentifier...) -> [UInt8] {
        let names = (apps.isEmpty ? [app] : apps).map { #""\#($0)""# }.joined(separator: ",")
        return Array(#"{"applinks":{"details":[{"appIDs":[\#(names)],"components":[{"/":"\#(pattern)"}]}]}}"#.utf8)
    }
}

extension AppDescription {
    /// Returns an app without scenes that has the prefix of Clown Town's team.
    static func example(
        _ bundleIdentifier: BundleIdentifier = "com.example.clowntown",
        domains: [String],
        isManaged: Bool = false
    ) -> AppDescription {
        AppDescription(
            bundleIdentifier: bundleIdentifier,
            applicationIdentifier: ApplicationIdentifier(rawValue: "ABCDE12345.\(bundleIdentifier)"),
            associatedDomains: domains,
            isManaged: isManaged,
            scenes: []
        )
    }
}

extension DeviceModel {
    /// Creates a device with one app.
    init(
        domains: [String],
        isManaged: Bool = false,
        development: [String: String]? = nil
    ) throws(DescriptionError) {
        try self.init(apps: [.example(domains: domains, isManaged: isManaged)], development: development)
    }

    /// Creates a device with `apps`.
    init(apps: [AppDescription], development: [String: String]? = nil) throws(DescriptionError) {
        let description = DeviceDescription(name: "tablet", apps: apps, associatedDomainsDevelopment: development)
        try self.init(description)
    }

    /// Records that a domain answered with a file.
    mutating func fetch(
        _ file: [UInt8],
        of domain: String = ClownTown.domain,
        at now: Timestamp = .zero
    ) -> [DeviceEffect] {
        apply(.system(.associationChecked(domain: domain, source: "https://\(domain)", .success(file))), at: now)
            .effects
    }

    /// Records that a domain did not answer.
    mutating func fail(
        _ failure: AssociationFailure = .example,
        of domain: String = ClownTown.domain,
        at now: Timestamp = .zero
    ) -> [DeviceEffect] {
        apply(.system(.associationChecked(domain: domain, source: "https://\(domain)", .failure(failure))), at: now)
            .effects
    }

    /// Returns the reason of the decision about the device's only app.
    func reason(for url: String = ClownTown.url) -> LinkDecision.Reason? {
        let decisions = linkDecisions(on: url)
        return decisions.count == 1 ? decisions.first?.reason : nil
    }
}

extension AssociationFailure {
    static let example = AssociationFailure(code: .unreachable, message: "nobody is there")
}

extension Timestamp {
    static let zero = Timestamp(milliseconds: 0)
    static let hour = Timestamp(milliseconds: 60 * 60 * 1_000)
    static let week = Timestamp(milliseconds: 7 * 24 * 60 * 60 * 1_000)

    static func + (moment: Timestamp, milliseconds: Int) -> Timestamp {
        Timestamp(milliseconds: moment.rawValue + milliseconds)
    }
}

extension [DeviceEffect] {
    /// The state of an association file, or `nil` unless its update is the only effect.
    var updated: AssociationFileStatus? {
        guard count == 1, case .system(.associationUpdated(let status)) = self[0] else { return nil }
        return status
    }
}
