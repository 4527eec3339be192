import GatewayStore
import Testing
import WaypostSchema

/// The environments of a device's tokens.
@Suite struct DeviceEnvironmentsTests {
    private static let environments = DeviceEnvironments(device: .sandbox, apps: ["com.example.store": .production])

    @Test(
        arguments: [
            ("com.example.clowntown", .sandbox), ("com.example.store", .production),
            ("com.example.store.voip", .production), ("com.example.clowntown.voip", .sandbox),
        ] as [(Topic, PushEnvironment)]
    )
    func appMayHaveAnEnvironmentOfItsOwn(_ topic: Topic, environment: PushEnvironment) {
        #expect(Self.environments.environment(of: topic) == environment)
    }

    @Test func deviceWithoutEnvironmentAcceptsBoth() {
        #expect(DeviceEnvironments().environment(of: "com.example.clowntown") == nil)
        #expect(StoredEnvironments.encode(DeviceEnvironments()) == nil)
    }

    @Test func environmentsSurviveStorage() throws {
        #expect(try StoredEnvironments.decode(StoredEnvironments.encode(Self.environments)) == Self.environments)
        #expect(try StoredEnvironments.decode(nil) == DeviceEnvironments())
    }

    @Test(
        arguments: [
            (.sandbox, .sandbox, nil), (.sandbox, .production, .wrongEnvironment(of: .sandbox)),
            (.production, .sandbox, .wrongEnvironment(of: .production)), (nil, .production, nil), (.sandbox, nil, nil),
        ] as [(PushEnvironment?, PushEnvironment?, StoreRefusal?)]
    )
    func tokenOfTheOtherEnvironmentIsRefused(
        _ own: PushEnvironment?,
        sent: PushEnvironment?,
        refusal: StoreRefusal?
    ) {
        var recipient = Recipient(device: 1, agent: 1, topics: ["com.example.clowntown"])
        recipient.environments.device = own
        let notification = NewNotification(
            id: "n",
            token: "00",
            topic: "com.example.clowntown",
            payload: [],
            environment: sent
        )
        #expect(recipient.refusal(of: notification, at: .noon) == refusal)
        // The environment is compared before the topic, as APNs does.
        recipient.topics = []
        let isOther = if case .wrongTopic = recipient.refusal(of: notification, at: .noon) { true } else { false }
        #expect(isOther == (refusal == nil))
    }

    @Test func messageNamesTheEnvironment() {
        let notification = NewNotification(id: "n", token: "00", topic: "a", payload: [])
        let rejection = StoreRefusal.wrongEnvironment(of: .sandbox).rejection(of: notification)
        #expect(rejection.reason == .badDeviceToken)
        #expect(rejection.message.hasPrefix("this token is of the sandbox"))
    }
}
