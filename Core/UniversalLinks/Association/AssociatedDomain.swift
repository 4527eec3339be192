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
        do throws(AssociatedDomainError) {
            try self.init(parsing: string)
        } catch {
            throw AssociatedDomainError(string, error.problem, suggestedEntry: Self.corrected(string))
        }
    }

    private init(parsing string: String) throws(AssociatedDomainError) {
        self.string = string
        guard let colon = string.firstIndex(of: ":") else { throw AssociatedDomainError(string, "it has no service") }
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
        if let problem = spellingProblem(of: name) { throw AssociatedDomainError(string, problem) }
        guard let host = InternationalHost.ascii(Array(name.utf8)[...]), isDomainName(host) else {
            throw AssociatedDomainError(string, "'\(String(name).safe(for: .excerpt))' is not a domain")
        }
        let labels = host.split(separator: ".")
        if labels.allSatisfy({ $0.allSatisfy(\.isNumber) }) {
            throw AssociatedDomainError(string, "'\(host)' is an IP address; an entry has a domain name")
        }
        // RFC 1035, section 2.3.4; RFC 1123, section 2.1.
        guard host.utf8.count <= 253, labels.last?.allSatisfy(\.isNumber) == false,
            labels.allSatisfy({ $0.utf8.count <= 63 && !$0.hasPrefix("-") && !$0.hasSuffix("-") })
        else { throw AssociatedDomainError(string, "'\(host.safe(for: .excerpt))' is not the name of a host") }
        guard host != "localhost", !host.hasSuffix(".localhost") else {
            throw AssociatedDomainError(string, "'\(host)' is this machine, from which a device gets no file")
        }
        return (host, isWildcard)
    }

    /// Returns the part of a text that people write beside a domain, or `nil` if there is none.
    private static func spellingProblem(of name: Substring) -> String? {
        if name.hasPrefix("//") || name.contains("://") { return "it has a scheme" }
        if name.contains("/") { return "it has a path or a slash" }
        if let mark = name.first(where: { ";,".contains($0) }) { return "it has '\(mark)'; an entry has one domain" }
        if name.contains(where: quotationMarks.contains) { return "it has quotation marks" }
        if name.contains(where: \.isWhitespace) { return "it has a blank" }
        if name.unicodeScalars.contains(where: \.isInvisible) { return "it has an invisible character" }
        if name.contains("@") { return "it has a user name" }
        if name.contains("[") { return "it has an IP address; an entry has a domain name" }
        if services.contains(where: { name.hasPrefix("\($0):") || name.hasPrefix("\($0)=") }) {
            return "it has the service twice"
        }
        if name.contains(":") { return "it has a port" }
        if name.contains("*") { return "a wildcard can only be '*.' before the domain" }
        if name.count > 1, name.hasSuffix(".") { return "it ends with a period" }
        return nil
    }

    private static let quotationMarks = Set("\"'“”‘’«»")

    /// Returns a domain in lower case, with letters beyond ASCII as Punycode.
    package static func canonicalName(of domain: String) -> String {
        LinkHost(domain).name
    }

    /// Returns whether a host is a domain name: non-empty labels of letters, digits, hyphens and underscores.
    ///
    /// A URL's host may contain other characters, even escapes, which other software may read as another host.
    package static func isDomainName(_ host: String) -> Bool {
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
        }
    }

    /// Returns the usable entry that the author of an unusable one probably meant, or `nil` if it is not clear.
    private static func corrected(_ entry: String) -> String? {
        var text = trimmed(entry[...])
        while let last = text.last, ";,.".contains(last) { text = trimmed(text.dropLast()) }
        if text.hasPrefix(":") { text = trimmed(text.dropFirst()) }
        var service = appLinks
        // The service may be missing, be spelled with capitals or '=', or be there twice.
        while let end = text.firstIndex(where: { ":=".contains($0) }),
            let name = services.first(where: { $0.lowercased() == trimmed(text[..<end]).lowercased() })
                ?? String(trimmed(text[..<end])).nearest(among: services)
        {
            service = name
            text = trimmed(text[end...].dropFirst())
        }
        var parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let query = correctedQuery(parts.dropFirst().joined()) else { return nil }
        // The wildcard may be before the scheme.
        let isWildcard = parts[0].hasPrefix("*.")
        parts[0] = parts[0].split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        let authority = parts[0].drop { $0 == "/" }.prefix { !"/#".contains($0) }
        // An entry has one domain, and it is not clear which of several is meant.
        let rest = authority.drop { !";,".contains($0) }
        guard !rest.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        var name = trimmed(host.prefix { !";,:".contains($0) })
        if name.hasPrefix("*"), !name.hasPrefix("*.") { name = "*." + name.dropFirst() }
        if isWildcard, !name.hasPrefix("*.") { name = "*." + name }
        while name.hasSuffix(".") { name.removeLast() }
        let candidate = "\(service):\(name)\(query)"
        // A name without a period is probably no domain.
        guard name.contains(".") else { return nil }
        return (try? Self(parsing: candidate)).map { _ in candidate }
    }

    /// Returns the query with the modes that a query means; empty for none, and `nil` if it is not clear which.
    private static func correctedQuery(_ query: String) -> String? {
        let words = query.lowercased().split { !$0.isLetter }.map(String.init).filter { $0 != "mode" }
        let names = Mode.allCases.map(\.rawValue)
        // The author means a mode if the query has its name, or one that is almost the same.
        let modes = names.filter { name in
            words.contains { $0.count >= 3 && $0.prefix(3) == name.prefix(3) || $0.nearest(among: names) == name }
        }
        if modes.isEmpty { return query.lowercased().hasPrefix("mode") && !words.isEmpty ? nil : "" }
        return "?mode=" + modes.joined(separator: "+")
    }

    /// Returns a text without blanks, quotation marks and invisible characters at its ends.
    private static func trimmed(_ text: Substring) -> Substring {
        let isDropped = { (character: Character) in
            character.isWhitespace || quotationMarks.contains(character)
                || character.unicodeScalars.allSatisfy(\.isInvisible)
        }
        var text = text.drop(while: isDropped)
        while let last = text.last, isDropped(last) { text.removeLast() }
        return text
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
        if let entry = suggestedEntry.flatMap({ try? AssociatedDomain($0) }) {
            return entry.service == AssociatedDomain.appLinks
                && (entry.covers(host) || entry.coversOnlySubdomains(of: host))
        }
        // An entry with several domains was meant for each of them.
        return entry.split { ";,".contains($0) || $0.isWhitespace }.contains { Self.isMeant($0, for: host) }
    }

    /// Returns whether a part of an entry, with or without a service, was probably meant for `host`.
    private static func isMeant(_ part: Substring, for host: String) -> Bool {
        let afterService = part.split(separator: ":", maxSplits: 1).last ?? ""
        let afterScheme = part.contains("://") ? part.split(separator: "://", maxSplits: 1).last ?? "" : afterService
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
