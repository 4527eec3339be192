internal import ArgumentParser
internal import Foundation
internal import LocalAuthority
internal import LocalProcesses
internal import WaypostSchema

/// The `waypost ca` commands, which manage the certificate authority of this machine.
struct CertificateAuthorityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Create the local certificate authority, and make clients trust it.",
        subcommands: [
            CertificateAuthorityCreateCommand.self, CertificateAuthorityClientCommand.self,
            CertificateAuthorityEnvironmentCommand.self,
        ]
    )
}

/// The `waypost ca create` command, which creates a certificate authority.
struct CertificateAuthorityCreateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a certificate authority for this machine, and a server certificate that it signs.",
        discussion: """
            The certificate is for localhost, 127.0.0.1, ::1 and the current and former hosts of APNs. A gateway \
            creates the same files at its first start with --provider or --proxy. Existing files are kept; a server \
            certificate that expires within a month is replaced.
            """
    )

    @Option(help: "The authority's folder.")
    var folder = "waypost-data/ca"

    func perform() async throws {
        let authority = AuthorityFolder(path: folder)
        let isNew = try authority.prepare(.system)
        StandardError.write(isNew ? "created a certificate authority" : "the certificate authority already exists")
        try StandardOutput.write(authority.authorityCertificatePath + "\n")
    }
}

extension LocalAuthority.Sources {
    /// The system's clock and its secure random numbers.
    static let system = Self(
        now: { Date() },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in generator.next() }
        }
    )
}

/// The `waypost ca client` command, which creates a provider's certificate.
struct CertificateAuthorityClientCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Create a certificate that an APNs client can use instead of a token.",
        discussion: """
            As in Apple's certificates, the UID of the subject is the topic. A client whose certificate has one topic \
            need not name it; with several topics it must, and can send only to those. The file contains the \
            certificate and its key.
            """
    )

    @Option(
        name: .customLong("topic"),
        help: ArgumentHelp("A topic the client may send to, the app's bundle identifier first; can be repeated.")
    )
    var topics: [String]

    @Option(help: "The environment the client may send to: sandbox or production (default: both).")
    var environment: NameArgument<PushEnvironment>?

    @Option(help: "The authority's folder.")
    var folder = "waypost-data/ca"

    @Option(help: ArgumentHelp("The file (default: TOPIC.pem); an existing file is replaced.", valueName: "file"))
    var out: String?

    func validate() throws {
        guard !topics.isEmpty, !topics.contains("") else {
            throw ValidationError("--topic must not be empty; for example, --topic com.example.clowntown")
        }
    }

    func perform() async throws {
        let path = out ?? "\(topics[0]).pem"
        try AuthorityFolder(path: folder).makeProviderCertificate(
            topics: topics.map(Topic.init(rawValue:)),
            environments: Set(environment.map { [$0.value] } ?? PushEnvironment.allCases),
            at: path,
            .system
        )
        try StandardOutput.write(path + "\n")
    }
}

/// The `waypost ca env` command, which prints how clients trust a certificate authority.
struct CertificateAuthorityEnvironmentCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the shell commands that make clients trust the local certificate authority.",
        discussion: """
            Use them in a shell: eval "$(waypost ca env)". Each client reads one of the variables. If the gateway has \
            a proxy, the commands also make clients use it.
            """
    )

    @Option(help: ArgumentHelp("Read paths and URLs from the gateway's ready file.", valueName: "file"))
    var readyFile: String?

    @Option(help: "The authority's folder, if there is no ready file.")
    var folder = "waypost-data/ca"

    func perform() async throws {
        let ready = try readyFile.map { try ReadyFiles.read(GatewayReadyFile.self, from: $0) }
        if let ready, ready.ca == nil {
            throw CommandFailure.failed(
                "this gateway has no certificate authority; start it with --provider or --proxy"
            )
        }
        let certificate = ready?.ca ?? AuthorityFolder(path: folder).authorityCertificatePath
        guard FileManager.default.isReadableFile(atPath: certificate) else {
            throw CommandFailure.unusable("\(certificate): cannot be read; create it with 'waypost ca create'")
        }
        let path = URL(filePath: certificate).standardizedFileURL.path
        try StandardOutput.write(ShellTrustScript.source(certificate: path, proxy: ready?.proxy))
    }
}

/// The shell commands that make clients trust a certificate.
enum ShellTrustScript {
    /// Returns the commands, for a certificate file and, if the gateway has one, its proxy.
    static func source(certificate: String, proxy: String?) -> String {
        let path = quoted(certificate)
        // Java reads its trusted certificates from a key store, not from PEM.
        let keyStore = quoted(certificate.replacing(/\.pem$/, with: "") + ".p12")
        let javaOptions = "-Djavax.net.ssl.trustStore=\(certificate.replacing(/\.pem$/, with: "")).p12"
        var lines = """
            # Go, Ruby, Python's ssl and httpx, Rust's native roots, openssl (instead of the system's certificates)
            export SSL_CERT_FILE=\(path)
            # Python's requests
            export REQUESTS_CA_BUNDLE=\(path)
            # curl
            export CURL_CA_BUNDLE=\(path)
            # Node (in addition to its own certificates)
            export NODE_EXTRA_CA_CERTS=\(path)
            # Java, with a key store that it can read
            [ ! -x "$(command -v keytool)" ] || [ -e \(keyStore) ] || keytool -importcert -noprompt -alias waypost \\
              -file \(path) -keystore \(keyStore) -storetype PKCS12 -storepass waypost >/dev/null 2>&1
            export JAVA_TOOL_OPTIONS=\(quoted("\(javaOptions) -Djavax.net.ssl.trustStorePassword=waypost"))

            """
        if let proxy {
            lines += """
                # Clients hard-wired to Apple's hosts
                export https_proxy=\(quoted(proxy)) HTTPS_PROXY=\(quoted(proxy))

                """
        }
        return lines
    }

    /// Returns a string as a quoted word of a shell (POSIX, Shell Command Language, 2.2.2).
    private static func quoted(_ string: String) -> String {
        "'" + string.replacing("'", with: #"'\''"#) + "'"
    }
}
