internal import ArgumentParser
internal import Foundation
internal import LocalAuthority
internal import WaypostSchema

/// The certificate authority of this machine: `waypost ca`.
struct CertificateAuthorityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Make the local certificate authority, and say how clients trust it.",
        subcommands: [
            CertificateAuthorityCreateCommand.self, CertificateAuthorityClientCommand.self,
            CertificateAuthorityEnvironmentCommand.self,
        ]
    )
}

/// Makes a certificate authority: `waypost ca create`.
struct CertificateAuthorityCreateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a certificate authority for this machine, and a server's certificate that it has signed.",
        discussion: """
            The certificate is for localhost, 127.0.0.1, ::1 and the hosts of APNs, old and new. A gateway makes the \
            same at its first start with --provider or --proxy. What is there already is kept; a server's certificate \
            that ends within a month is made anew.
            """
    )

    @Option(help: "The folder (default: ca in the gateway's standard data folder).")
    var folder = "waypost-data/ca"

    func perform() async throws {
        let authority = AuthorityFolder(path: folder)
        let isNew = try authority.prepare(.system)
        StandardError.write(isNew ? "made an authority" : "the authority was there already")
        try StandardOutput.write(authority.authorityCertificate + "\n")
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

/// Makes a provider's certificate: `waypost ca client`.
struct CertificateAuthorityClientCommand: ReportingCommand {
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

    func perform() async throws {
        let path = out ?? "\(topic[0]).pem"
        try AuthorityFolder(path: folder).makeProvider(
            topics: topic.map(Topic.init(rawValue:)),
            environments: Set(environment.map { [$0.value] } ?? PushEnvironment.allCases),
            at: path,
            .system
        )
        try StandardOutput.write(path + "\n")
    }
}

/// Prints how clients trust a certificate authority: `waypost ca env`.
struct CertificateAuthorityEnvironmentCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the lines that make clients trust the local certificate authority.",
        discussion: """
            They are for a shell: eval "$(waypost ca env)". Each client reads one of the variables; where there is a \
            proxy, the lines lead to it too.
            """
    )

    @Option(help: ArgumentHelp("Read where things are from the ready file that the gateway wrote.", valueName: "file"))
    var readyFile: String?

    @Option(help: "The authority's folder, without a ready file (default: ca in the gateway's standard data folder).")
    var folder = "waypost-data/ca"

    func perform() async throws {
        let ready = try readyFile.map { try ReadyFiles.read(GatewayReadyFile.self, from: $0) }
        if let ready, ready.ca == nil {
            throw CommandFailure.no("this gateway has no authority: start it with --provider or --proxy")
        }
        let certificate = ready?.ca ?? AuthorityFolder(path: folder).authorityCertificate
        guard FileManager.default.isReadableFile(atPath: certificate) else {
            throw CommandFailure.unusable("\(certificate): cannot be read; waypost ca create makes it")
        }
        let path = URL(filePath: certificate).standardizedFileURL.path
        try StandardOutput.write(TrustLines.text(certificate: path, proxy: ready?.proxy))
    }
}

/// The lines of a shell that make clients trust a certificate.
enum TrustLines {
    static func text(certificate: String, proxy: String?) -> String {
        let path = quoted(certificate)
        // Java reads no PEM where it looks for whom to trust.
        let store = quoted(certificate.replacing(/\.pem$/, with: "") + ".p12")
        let java = "-Djavax.net.ssl.trustStore=\(certificate.replacing(/\.pem$/, with: "")).p12"
        var lines = """
            # Go, Ruby, Python's ssl and httpx, Rust's native roots, openssl (instead of what the system trusts)
            export SSL_CERT_FILE=\(path)
            # Python's requests
            export REQUESTS_CA_BUNDLE=\(path)
            # curl
            export CURL_CA_BUNDLE=\(path)
            # Node (beside what it trusts)
            export NODE_EXTRA_CA_CERTS=\(path)
            # Java, once there is a key store that it can read
            [ ! -x "$(command -v keytool)" ] || [ -e \(store) ] || keytool -importcert -noprompt -alias waypost \\
              -file \(path) -keystore \(store) -storetype PKCS12 -storepass waypost >/dev/null 2>&1
            export JAVA_TOOL_OPTIONS=\(quoted("\(java) -Djavax.net.ssl.trustStorePassword=waypost"))

            """
        if let proxy {
            lines += """
                # Whoever cannot be told another host than Apple's
                export https_proxy=\(quoted(proxy)) HTTPS_PROXY=\(quoted(proxy))

                """
        }
        return lines
    }

    /// A word of a shell (POSIX, Shell Command Language, 2.2.2).
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
