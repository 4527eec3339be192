import Testing
import WaypostSchema

@Suite struct AgentSecretTests {
    private static let secret: BearerSecret = "secret-of-an-example-agent"

    @Test(arguments: [
        "\(secret)",
        String(describing: secret),
        String(reflecting: secret),
        "\([secret])",
        "\(DeviceCredential(token: "00", secret: secret))",
        "\(SecretRotation(secret: secret))",
        "\(DeviceRegistration(name: "iPad", topics: [], secret: secret))",
    ])
    func descriptionHidesTheSecret(_ description: String) {
        #expect(description.contains("<secret>"))
        #expect(!description.contains("example-agent"))
    }

    /// Texts that Unicode calls equivalent are equal strings, but only the same bytes are the same secret.
    @Test func secretsAreEqualIfTheirBytesAre() {
        let (composed, decomposed): (BearerSecret, BearerSecret) = ("\u{E9}", "e\u{301}")
        #expect(composed.rawValue == decomposed.rawValue && composed != decomposed)
        #expect(Self.secret == BearerSecret(rawValue: "secret-of-an-" + "example-agent"))
        #expect(Self.secret != "secret-of-an-example-agenT" && Self.secret != "secret-of-an-example-agen")
    }

    @Test func secretIsEncoded() throws {
        #expect(try Self.secret.json() == #""secret-of-an-example-agent""#)
    }
}
