internal import ArgumentParser
internal import WaypostSchema

/// The namespace of a gateway.
struct NamespaceOptions: ParsableArguments {
    @Option(help: "The namespace (default: default).")
    var namespace: String?

    /// The namespace that was named.
    var chosen: Namespace? {
        namespace.map(Namespace.init(rawValue:))
    }

    func validate() throws {
        guard let chosen, !chosen.isWellFormed else { return }
        throw ValidationError(
            "'\(chosen)' is no namespace: 1 to 64 of A-Z, a-z, 0-9, '.', '-' and '_', the first not '.'"
        )
    }
}
