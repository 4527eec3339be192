internal import UniversalLinks

/// A domain that a command is given.
enum DomainArgument {
    /// Reads a domain.
    ///
    /// - Parameters:
    ///   - text: what was given.
    ///   - option: the option that it was given for.
    /// - Returns: the domain in lower case, letters beyond ASCII as Punycode.
    /// - Throws: `CommandFailure` where it is no domain.
    static func domain(_ text: String, of option: String) throws(CommandFailure) -> String {
        // An entry that is about one domain has nothing but its name.
        guard let entry = try? AssociatedDomain("\(AssociatedDomain.appLinks):\(text)"),
            !entry.isWildcard, entry.modes.isEmpty
        else { throw .unusable("\(option) '\(text)' is no domain, such as www.example.com") }
        return entry.domain
    }
}
