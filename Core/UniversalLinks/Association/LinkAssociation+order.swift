internal import WaypostSchema

extension LinkAssociation {
    /// An app that matches a URL, and the reason for which another app opens before it.
    public struct MatchingApp: Sendable {
        /// The app.
        public let association: LinkAssociation

        /// The reason, as a clause; `nil` for the app that opens.
        public let reason: String?
    }

    /// Returns the apps that match a URL, in the order in which it opens them.
    ///
    /// Those with a more specific entry are first, and those of one file have its order, by `details` and then by
    /// identifiers.
    ///
    /// - Parameters:
    ///   - associations: the apps of the device.
    ///   - url: the URL.
    ///   - records: the device's records of the files.
    /// - Returns: the apps; the first one opens.
    public static func openingOrder(
        of associations: [LinkAssociation],
        for url: LinkURL,
        records: AssociationRecords
    ) -> [MatchingApp] {
        let precedences = associations.compactMap { LinkPrecedence(of: $0, for: url, records) }
            .sorted { $0.precedes($1) }
        return precedences.map { precedence in
            MatchingApp(association: precedence.association, reason: precedences.first.flatMap(precedence.reason))
        }
    }

    /// The precedence of an app among those that match a URL.
    private struct LinkPrecedence {
        let association: LinkAssociation
        let entry: AssociatedDomain
        let request: AssociationRequest

        /// The index in `details` of the rule that matches, and of the app's identifier there.
        let index: (details: Int, identifier: Int)

        init?(of association: LinkAssociation, for url: LinkURL, _ records: AssociationRecords) {
            guard let entry = association.entry(for: url.host) else { return nil }
            let request = association.request(for: entry)
            guard let index = records[request]?.matcher?.place(of: association.app, for: url) else { return nil }
            self.association = association
            self.entry = entry
            self.request = request
            self.index = index
        }

        func precedes(_ other: LinkPrecedence) -> Bool {
            if entry.isMoreSpecific(than: other.entry) { return true }
            if other.entry.isMoreSpecific(than: entry) { return false }
            // No source says which of two files of a domain counts first.
            guard request == other.request else { return request.isDevelopment }
            return (index.details, index.identifier, association.app.rawValue)
                < (other.index.details, other.index.identifier, other.association.app.rawValue)
        }

        /// Returns the reason for which the app comes after the first one; `nil` if it is the first one.
        func reason(after first: LinkPrecedence) -> String? {
            if association.app == first.association.app { return nil }
            if first.entry.isMoreSpecific(than: entry) {
                return "its entry '\(entry.string)' is less specific than '\(first.entry.string)'"
            }
            guard request == first.request else {
                return "its file is another one, and the one for development comes first"
            }
            return index.details == first.index.details
                ? "its identifier comes later in details[\(index.details)] of the file"
                : "it matches in details[\(index.details)] of the file, and the other one in details[\(first.index.details)]"
        }
    }
}
