internal import Foundation
internal import LocalProcesses
internal import LocalService
internal import WaypostSchema

/// The environment variables of a provider under test.
enum ProviderVariables {
    /// Returns the variables for a trial.
    ///
    /// - Parameters:
    ///   - trial: the name of the trial.
    ///   - setup: the devices and the keys.
    ///   - ready: the URLs of the gateway.
    /// - Returns: the variables with their values. A listener that the gateway does not have has no variable.
    static func values(trial: String, _ setup: TrialSetup, _ ready: GatewayReadyFile) -> [String: String] {
        let port = ready.provider.flatMap { ListenAddress(url: $0, scheme: "https") }?.port
        let key = setup.keys.first
        let values: [String: String?] = [
            "WAYPOST_TRIAL": trial,
            "WAYPOST_URL": port.map { "https://localhost:\($0)" },
            "WAYPOST_HOST": "localhost",
            "WAYPOST_PORT": port.map { "\($0)" },
            "WAYPOST_PLAINTEXT_URL": ready.providerPlaintext,
            "WAYPOST_PROXY_URL": ready.proxy,
            "HTTPS_PROXY": ready.proxy,
            "https_proxy": ready.proxy,
            // Both ways work: the base URL, and Apple's hosts through the proxy.
            "NO_PROXY": "localhost,127.0.0.1",
            "no_proxy": "localhost,127.0.0.1",
            "WAYPOST_CA_FILE": ready.ca,
            "WAYPOST_KEY_FILE": key?.file,
            "WAYPOST_KEY_ID": key?.id.rawValue,
            "WAYPOST_TEAM_ID": key?.team.rawValue,
            "WAYPOST_TOPIC": TrialSetup.topic.rawValue,
            "WAYPOST_TOKENS": setup.tokens.map(\.rawValue).joined(separator: ","),
        ]
        return values.compactMapValues(\.self)
    }

    /// Returns the variables with which clients trust the authorities, those of `waypost ca env`.
    ///
    /// - Throws: `ProcessFailure` if there is no shell.
    static func trust(_ authorities: TrialAuthorities) async throws -> [String: String] {
        let script = ShellTrustScript.source(certificate: authorities.bundle, proxy: nil)
        let names = Self.names(exportedBy: script)
        // Of a file with several certificates, keytool reads the first one.
        let keyStore = authorities.bundle.replacing(/\.pem$/, with: ".p12")
        let keyTool = """
            [ ! -x "$(command -v keytool)" ] || keytool -importcert -noprompt -alias waypost-2 -file "$1" \\
              -keystore "$2" -storetype PKCS12 -storepass waypost >/dev/null 2>&1 || true

            """
        let lines = names.map { "printf '%s\\n' \"$\($0)\"" }
        let output = try await ProgramRun.output(
            of: "sh",
            ["-c", script + keyTool + lines.joined(separator: "\n"), "sh", authorities.secondCertificate, keyStore]
        )
        let values = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Dictionary(zip(names, values), uniquingKeysWith: { _, last in last })
    }

    /// Returns the names of the variables that a script exports, in order.
    static func names(exportedBy script: String) -> [String] {
        script.split(separator: "\n").compactMap { line in
            line.hasPrefix("export ") ? String(line.dropFirst("export ".count).prefix { $0 != "=" }) : nil
        }
    }
}
