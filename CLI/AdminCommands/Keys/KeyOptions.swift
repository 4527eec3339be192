internal import ArgumentParser
internal import WaypostSchema

/// What a key is good for.
struct KeyOptions: ParsableArguments {
    @Option(help: "The team that the key belongs to, the iss of its tokens.")
    var team: String

    @Option(help: "A topic that the key is for, with its suffixes; may be repeated (default: every topic of the team).")
    var topic: [String] = []

    @Option(help: "The environment that the key is for, sandbox or production (default: both).")
    var environment: NameArgument<PushEnvironment>?

    @OptionGroup var namespace: NamespaceOptions

    /// The key with an identifier and a public half.
    func key(_ id: ProviderKeyID, publicKey: String) -> ProviderKey {
        ProviderKey(
            id: id,
            team: TeamID(rawValue: team),
            publicKey: publicKey,
            topics: topic.isEmpty ? nil : topic.map(Topic.init(rawValue:)),
            environment: environment?.value
        )
    }
}
