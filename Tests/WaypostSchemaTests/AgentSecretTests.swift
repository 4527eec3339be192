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
        "\(DeviceRegistration(name: "iPad", topics: [], secret: secret))",
    ])
    func descriptionHidesTheSecret(_ description: String) {
        #expect(description.contains("<secret>"))
        #expect(!description.contains("example-agent"))
    }

    @Test func secretIsEncoded() throws {
        #expect(try Self.secret.json() == #""secret-of-an-example-agent""#)
    }
}
