internal import ArgumentParser
internal import LocalAuthority
internal import WaypostSchema

/// Makes a provider's certificate: `waypost ca client`.
struct CertificateAuthorityClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Make a certificate with which an APNs client sends, instead of a token.",
        discussion: """
            Its subject's UID is the topic, as in Apple's. A client that shows a certificate of one topic need not name \
            it; one of several topics has to, and may send to those alone. The file has the certificate and its key.
            """
    )

    @Option(help: ArgumentHelp("A topic it may send to, an app's bundle identifier first; may be repeated."))
    var topic: [String]

    @Option(help: "The environment it may send to, sandbox or production (default: both).")
    var environment: NameArgument<PushEnvironment>?

    @Option(help: "The authority's folder (default: ca in the gateway's standard data folder).")
    var folder = "waypost-data/ca"

    @Option(help: ArgumentHelp("The file (default: TOPIC.pem); one that is there is replaced.", valueName: "file"))
    var out: String?

    func validate() throws {
        guard !topic.isEmpty, !topic.contains("") else {
            throw ValidationError("name a topic: --topic com.example.clowntown")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let path = out ?? "\(topic[0]).pem"
            do throws(AuthorityFolder.Fault) {
                try AuthorityFolder(path: folder).makeProvider(
                    topics: topic.map(Topic.init(rawValue:)),
                    environments: Set(environment.map { [$0.value] } ?? PushEnvironment.allCases),
                    at: path,
                    .system
                )
            } catch {
                throw CommandFailure.unusable(error.description)
            }
            try StandardOutput.write(path + "\n")
        }
    }
}
