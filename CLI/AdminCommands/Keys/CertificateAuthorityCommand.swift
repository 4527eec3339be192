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
    var folder = AuthorityOptions.defaultFolder

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
            As in Apple's certificates, the UID of the subject is the topic, and the key is RSA with 2,048 bits. A client \
            whose certificate has one topic need not name it; with several topics it must, and can send only to those.

            The file contains the certificate and its key: in PEM, or, if its name ends with .p12, in PKCS #12 with a \
            password, as Apple's tools export it. Some clients, such as apns2 for Go, read only PKCS #12 with the old \
            algorithms (--legacy).
            """
    )

    @Option(
        name: .customLong("topic"),
        help: ArgumentHelp("A topic the client may send to, the app's bundle identifier first; can be repeated.")
    )
    var topics: [String]

    @Option(help: "The environment the client may send to: sandbox or production (default: both).")
    var environment: NameArgument<PushEnvironment>?

    @Option(help: "The type of the key.")
    var keyType = NameArgument(ProviderKeyType.rsa)

    @OptionGroup var authority: AuthorityOptions

    @Option(help: ArgumentHelp("The file (default: TOPIC.pem); an existing file is replaced.", valueName: "file"))
    var out: String?

    @Option(help: "The password of a .p12 file, which other users of this machine can see while the command runs.")
    var password: String?

    @Option(help: ArgumentHelp("The file with the password of a .p12 file.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Flag(help: "Encrypt a .p12 file with triple DES and SHA-1 instead of AES-256 and SHA-256.")
    var legacy = false

    func validate() throws {
        guard !topics.isEmpty, !topics.contains("") else {
            throw ValidationError("--topic must not be empty; for example, --topic com.example.clowntown")
        }
        let isPKCS12 = out?.lowercased().hasSuffix(".p12") ?? false
        let passwords = [password, passwordFile].compactMap(\.self)
        guard isPKCS12 || (passwords.isEmpty && !legacy) else {
            throw ValidationError("a password and --legacy are for PKCS #12; give a file with --out NAME.p12")
        }
        guard !isPKCS12 || passwords.count == 1 else {
            throw ValidationError(
                "a .p12 file needs either --password PASSWORD, which may be empty, or --password-file"
            )
        }
    }

    func perform() async throws {
        let path = out ?? "\(topics[0]).pem"
        let location = try authority.location()
        _ = try location.certificatePath()
        let secret = try password ?? passwordFile.map(Self.password)
        try location.folder.makeProviderCertificate(
            topics: topics.map(Topic.init(rawValue:)),
            environments: Set(environment.map { [$0.value] } ?? PushEnvironment.allCases),
            keyType: keyType.value,
            format: secret.map { .pkcs12(password: $0, isLegacy: legacy) } ?? .pem,
            at: path,
            .system
        )
        try StandardOutput.write(path + "\n")
    }
}

extension CertificateAuthorityClientCommand {
    private static func password(inFile path: String) throws -> String {
        try InputFile(path: path).readText().trimmingCharacters(in: .newlines)
    }
}

/// The `waypost ca env` command, which prints how clients trust a certificate authority.
struct CertificateAuthorityEnvironmentCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the shell commands that make clients trust the local certificate authority.",
        discussion: """
            Use them in a shell: eval "$(waypost ca env)". Each client reads one of the variables. If the gateway has \
            a proxy, the commands also make clients use it. Java and PHP read files, which the commands write into the \
            authority's folder.
            """
    )

    @OptionGroup var authority: AuthorityOptions

    func perform() async throws {
        let location = try authority.location()
        let script = ShellTrustScript.source(
            certificate: try location.certificatePath(),
            proxy: location.readyFile?.proxy
        )
        try StandardOutput.write(script)
    }
}

/// The shell commands that make clients trust a certificate.
enum ShellTrustScript {
    /// Returns the commands, for a certificate file and, if the gateway has one, its proxy.
    static func source(certificate: String, proxy: String?) -> String {
        let path = quoted(certificate)
        // Java reads its trusted certificates from a key store, not from PEM.
        let base = certificate.replacing(/\.pem$/, with: "")
        let keyStore = quoted(base + ".p12")
        let javaOptions = "-Djavax.net.ssl.trustStore=\(base).p12"
        let phpFolder = quoted(base + "-php")
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
            # PHP, with a settings file beside its own
            [ ! -x "$(command -v php)" ] || { mkdir -p \(phpFolder) && printf 'curl.cainfo="%s"\\n' \(path) >\(phpFolder)/waypost.ini; }
            export PHP_INI_SCAN_DIR=\(quoted(":\(base)-php"))

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
