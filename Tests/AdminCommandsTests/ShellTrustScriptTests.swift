import Testing
import WaypostTestSupport

@testable import AdminCommands

@Suite struct ShellTrustScriptTests {
    @Test func everyClientHasAnEnvironmentVariable() {
        let text = ShellTrustScript.source(certificate: "/data/ca/ca.pem", proxy: "http://127.0.0.1:7334")
        for variable in [
            "SSL_CERT_FILE='/data/ca/ca.pem'", "REQUESTS_CA_BUNDLE='/data/ca/ca.pem'",
            "CURL_CA_BUNDLE='/data/ca/ca.pem'",
            "NODE_EXTRA_CA_CERTS='/data/ca/ca.pem'", "https_proxy='http://127.0.0.1:7334'",
            "PHP_INI_SCAN_DIR=':/data/ca/ca-php'",
            "JAVA_TOOL_OPTIONS='-Djavax.net.ssl.trustStore=/data/ca/ca.p12 ",
        ] {
            #expect(text.contains("export \(variable)"), "\(variable)")
        }
        #expect(!ShellTrustScript.source(certificate: "/ca.pem", proxy: nil).contains("proxy"))
    }

    @Test func shellParsesAnyPath() async throws {
        let path = "/it's a \"folder\" with $HOME/ca.pem"
        let script = ShellTrustScript.source(certificate: path, proxy: nil) + "printf %s \"$SSL_CERT_FILE\""
        let shell = try await ExternalCommand.run(["sh", "-c", "PATH=; " + script])
        #expect(String(decoding: shell, as: UTF8.self) == path)
    }
}
