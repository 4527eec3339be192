internal import TextBasics
public import WaypostSchema

/// Both halves of the association between an app and its domains: the app's entitlement and the domains' files.
///
/// The app may be offered a URL only if both agree.
public struct LinkAssociation: Sendable {
    /// The app.
    public let app: ApplicationIdentifier

    /// The app's valid associated domains.
    public let domains: [AssociatedDomain]

    /// The errors of the app's invalid entries.
    public let errors: [AssociatedDomainError]

    /// The modes that are active for the app on the device.
    public let activeModes: Set<AssociatedDomain.Mode>

    /// The entries, unchanged.
    private let entries: [String]

    /// Parses an app's associated domains.
    public init(app: ApplicationIdentifier, entries: [String], activeModes: Set<AssociatedDomain.Mode> = []) {
        self.app = app
        self.entries = entries
        self.activeModes = activeModes
        var (domains, errors): ([AssociatedDomain], [AssociatedDomainError]) = ([], [])
        for entry in entries {
            do throws(AssociatedDomainError) {
                domains.append(try AssociatedDomain(entry))
            } catch {
                errors.append(error)
            }
        }
        (self.domains, self.errors) = (domains, errors)
    }

    /// The files that the app needs for its links.
    public var requiredFiles: Set<AssociationRequest> {
        Set(domains.filter { $0.service == AssociatedDomain.appLinks && isActive($0) }.map(request))
    }

    /// Returns the file that an active entry needs.
    public func request(for entry: AssociatedDomain) -> AssociationRequest {
        let isDevelopment = entry.modes.contains(.developer) && activeModes.contains(.developer)
        return AssociationRequest(domain: entry.domain, isDevelopment: isDevelopment)
    }

    /// Decides whether the app may be offered a URL.
    ///
    /// - Parameters:
    ///   - urlString: the URL.
    ///   - records: the device's records of the files.
    ///   - tracing: whether to add the result of each rule.
    /// - Returns: the decision and its reason.
    public func decision(
        on urlString: String,
        records: AssociationRecords,
        tracing: Bool = false
    ) -> LinkDecision {
        do throws(LinkURLError) {
            let url = try LinkURL(urlString)
            guard let entry = entry(for: url.host) else { return refusal(of: urlString, host: url.host) }
            var decision = decision(
                on: urlString,
                url: url,
                entry: entry,
                record: records[request(for: entry)],
                tracing: tracing
            )
            decision.entry = entry.string
            decision.file = records[request(for: entry)]?.status
            return decision
        } catch {
            return LinkDecision(urlString, app, error: error)
        }
    }

    /// Returns whether the app may be offered a URL: the result of `decision`, without its explanation.
    public func offers(_ url: LinkURL, records: AssociationRecords) -> Bool {
        guard let entry = entry(for: url.host),
            let matcher = records[request(for: entry)]?.matcher
        else { return false }
        return matcher.match(url, for: app).outcome == .match
    }

    /// Returns the entry that decides for a host: the most specific of the active entries that cover it.
    public func entry(for host: String) -> AssociatedDomain? {
        domains
            .filter { $0.service == AssociatedDomain.appLinks && $0.covers(host) && isActive($0) }
            .reduce(nil) { bestEntry, entry in
                guard let bestEntry else { return entry }
                return entry.isMoreSpecific(than: bestEntry) ? entry : bestEntry
            }
    }

    /// The rule for short links and redirects, for people.
    public static let redirectRule = "a device compares the URL that was tapped, not one to which it redirects"

    private func isActive(_ entry: AssociatedDomain) -> Bool {
        entry.modes.isEmpty || !entry.modes.isDisjoint(with: activeModes)
    }

    private func decision(
        on urlString: String,
        url: LinkURL,
        entry: AssociatedDomain,
        record: AssociationRecord?,
        tracing: Bool
    ) -> LinkDecision {
        let fileDescription = "the file of \(entry.domain)"
        guard let record, record.checkedAt != nil else {
            let explanation = "\(fileDescription) has not been fetched yet"
            return LinkDecision(urlString, app, reason: .fileNotFetched, explanation: explanation)
        }
        guard let matcher = record.matcher else {
            let problem = record.failure?.message ?? "there is no file"
            return LinkDecision(
                urlString,
                app,
                reason: .fileUnavailable,
                explanation: "\(fileDescription) could not be fetched: \(problem)"
            )
        }
        let match = matcher.match(url, for: app)
        var decision = matcher.decision(match, on: urlString, for: app)
        if tracing {
            var traces = RuleTraces(matcher, url)
            decision = traces.adding(to: decision, for: app)
        }
        if let failure = record.failure {
            let problem = failure.message.safe(for: .log)
            decision.explanation += "; the file is an earlier one, because the last fetch failed: \(problem)"
        }
        return decision
    }

    /// Returns a decision that explains why no entry applies to a host.
    private func refusal(of urlString: String, host: String) -> LinkDecision {
        let coveringEntries = domains.filter { $0.covers(host) }
        if let entry = coveringEntries.first(where: { $0.service == AssociatedDomain.appLinks }) {
            let modes = entry.modes.map(\.rawValue).sorted().joined(separator: " or ")
            let hint =
                entry.modes.contains(.developer)
                ? "; developer mode needs associatedDomainsDevelopment on the device, and an app without signing: distribution"
                : ""
            let explanation = "the entry '\(entry.string)' applies only in \(modes) mode, which is not active\(hint)"
            return refusal(urlString, .modeNotActive, explanation: explanation, entry: entry.string)
        }
        if let entry = domains.first(where: {
            $0.service == AssociatedDomain.appLinks && $0.coversOnlySubdomains(of: host)
        }) {
            let explanation = "the entry '\(entry.string)' is for subdomains of \(host) and not for \(host) itself"
            return refusal(urlString, .wildcardBase, explanation: explanation, entry: entry.string)
        }
        if let entry = coveringEntries.first {
            let explanation = "the entry '\(entry.string)' is for a service other than applinks"
            return refusal(urlString, .otherService, explanation: explanation, entry: entry.string)
        }
        if let error = errors.first(where: { $0.isMeant(for: host) }) {
            return refusal(urlString, .unusableEntry, explanation: "\(error)", entry: error.entry)
        }
        let explanation = "the associated domains of \(app) have no entry for \(host); \(Self.redirectRule)"
        return LinkDecision(urlString, app, reason: .noEntry, explanation: explanation)
    }

    private func refusal(
        _ urlString: String,
        _ reason: LinkDecision.Reason,
        explanation: String,
        entry: String
    ) -> LinkDecision {
        var decision = LinkDecision(urlString, app, reason: reason, explanation: explanation)
        decision.entry = entry
        return decision
    }
}

/// Only the entries are encoded; the parsed domains are derived from them.
extension LinkAssociation: Codable {
    private enum CodingKeys: CodingKey {
        case app
        case entries
        case activeModes
    }

    /// Decodes the entries, and parses them again.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            app: try container.decode(ApplicationIdentifier.self, forKey: .app),
            entries: try container.decode([String].self, forKey: .entries),
            activeModes: try container.decode(Set<AssociatedDomain.Mode>.self, forKey: .activeModes)
        )
    }
}
