internal import TextBasics

/// An entry of an app's associated domains, such as `applinks:*.example.com`.
///
/// The entitlement is `com.apple.developer.associated-domains`.
public struct AssociatedDomain: Hashable, Sendable {
    /// The service that the entry is for, such as `applinks`.
    public let service: String

    /// The domain without the wildcard, in lower case, with non-ASCII letters as Punycode.
    public let domain: String

    /// Whether the entry covers the subdomains of the domain instead of the domain itself.
    public let isWildcard: Bool

    /// The modes of the entry, one of which must be active; if empty, the entry always applies.
    public let modes: Set<Mode>

    /// The entry, unchanged.
    public let string: String

    /// A mode that bypasses the platform's cache of association files.
    public enum Mode: String, Hashable, Sendable, CaseIterable, Codable {
        /// For apps in development, on devices that allow it.
        case developer

        /// For apps that a company manages.
        case managed
    }

    /// The service for universal links.
    public static let appLinks = "applinks"

    private static let services = [appLinks, "webcredentials", "activitycontinuation", "appclips"]

    /// Parses an entry: `<service>:<domain>`, optionally followed by `?mode=` and the modes.
    ///
    /// - Throws: `AssociatedDomainError` with the problem and, if known, the correct entry.
    public init(_ string: String) throws(AssociatedDomainError) {
        self.string = string
        guard let colon = string.firstIndex(of: ":") else {
            let suggestion = "applinks:\(string.safe(for: .excerpt))"
            throw AssociatedDomainError(string, "it has no service", suggestedEntry: suggestion)
        }
        let service = String(string[..<colon])
        guard Self.services.contains(service) else {
            let services = Self.services.joined(separator: ", ")
            throw AssociatedDomainError(
                string,
                "'\(service.safe(for: .excerpt))' is not a service; the services are \(services)"
            )
        }
        let parts = string[colon...].dropFirst().split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.service = service
        modes = try parts.count < 2 ? [] : Self.parseModes(parts[1], entry: string)
        (domain, isWildcard) = try Self.parseDomain(parts[0], entry: string)
        guard !(isWildcard && service == "appclips") else {
            throw AssociatedDomainError(string, "an appclips entry cannot have a wildcard")
        }
    }

    private static func parseModes(
        _ query: Substring,
        entry string: String
    ) throws(AssociatedDomainError) -> Set<Mode> {
        let prefix = "mode="
        guard query.hasPrefix(prefix) else {
            throw AssociatedDomainError(string, "only ?mode= may follow the domain")
        }
        var modes: Set<Mode> = []
        for name in query.dropFirst(prefix.count).split(separator: "+", omittingEmptySubsequences: false) {
            guard let mode = Mode(rawValue: String(name)) else {
                let problem =
                    "'\(String(name).safe(for: .excerpt))' is not a mode; use developer, managed or developer+managed"
                throw AssociatedDomainError(string, problem)
            }
            modes.insert(mode)
        }
        return modes
    }

    private static func parseDomain(
        _ pattern: Substring,
        entry string: String
    ) throws(AssociatedDomainError) -> (String, isWildcard: Bool) {
        let isWildcard = pattern.hasPrefix("*.")
        let name = isWildcard ? pattern.dropFirst(2) : pattern
        if name.hasPrefix("//") || name.contains("://") {
            throw AssociatedDomainError(string, "it has a scheme; write only the domain")
        }
        if name.contains("/") { throw AssociatedDomainError(string, "it has a path or a slash; write only the domain") }
        if name.contains(":") { throw AssociatedDomainError(string, "it has a port; write only the domain") }
        if name.contains("*") {
            throw AssociatedDomainError(string, "a wildcard can only be '*.' before the domain")
        }
        guard let host = InternationalHost.ascii(Array(name.utf8)[...]), isDomainName(host) else {
            throw AssociatedDomainError(string, "'\(String(name).safe(for: .excerpt))' is not a domain")
        }
        return (host, isWildcard)
    }

    /// Returns whether a host is a domain name: non-empty labels of letters, digits, hyphens and underscores.
    ///
    /// A URL's host may contain other characters, even escapes, which other software may read as another host.
    package static func isDomainName(_ host: String) -> Bool {
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
        }
    }

    /// Returns whether the entry covers `host`, which is in lower case.
    public func covers(_ host: String) -> Bool {
        guard isWildcard else { return host == domain }
        return host.hasSuffix("." + domain) && Self.isDomainName(host)
    }

    /// Returns whether the entry covers subdomains of `host`, but not `host` itself.
    func coversOnlySubdomains(of host: String) -> Bool {
        isWildcard && host == domain
    }

    /// Returns whether the entry precedes `other` if both cover a host: an exact one first, then the longer wildcard.
    func isMoreSpecific(than other: AssociatedDomain) -> Bool {
        guard isWildcard == other.isWildcard else { return !isWildcard }
        return domain.utf8.count > other.domain.utf8.count
    }
}

/// The reason that an entry of an app's associated domains cannot be used.
public struct AssociatedDomainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The entry, unchanged.
    public let entry: String

    /// The problem, as a human-readable clause.
    public let problem: String

    /// The entry to write instead, if known.
    public let suggestedEntry: String?

    init(_ entry: String, _ problem: String, suggestedEntry: String? = nil) {
        self.entry = entry
        self.problem = problem
        self.suggestedEntry = suggestedEntry
    }

    /// Returns whether the entry was probably meant for `host`.
    func isMeant(for host: String) -> Bool {
        let afterService = entry.split(separator: ":", maxSplits: 1).last ?? ""
        let afterScheme = entry.contains("://") ? entry.split(separator: "://", maxSplits: 1).last ?? "" : afterService
        let isWildcard = afterScheme.hasPrefix("*.")
        let name = afterScheme.drop { "/*.".contains($0) }.prefix { !"/:?#".contains($0) }
        let hostName = LinkHost(String(name)).name
        return !hostName.isEmpty && (hostName == host || isWildcard && host.hasSuffix("." + hostName))
    }

    /// A human-readable sentence with the entry and the problem.
    public var description: String {
        let suggestion = suggestedEntry.map { "; write \($0)" } ?? ""
        return "the entry '\(entry.safe(for: .excerpt))' cannot be used: \(problem)\(suggestion)"
    }
}
