import Testing
import WaypostSchema

@testable import campaigns

/// The rules of the crash model about secrets, registrations, channels and batches that were answered with 202.
@Suite struct CrashOperationTests {
    private static let token: DeviceToken = "c0ff"
    private static let topic: Topic = "com.example.clowntown"

    private static func state(
        _ standing: TokenStanding = .active,
        topics: Set<Topic> = [topic]
    ) -> RegistrationState {
        RegistrationState(standing: standing, topics: topics)
    }

    // MARK: Secrets

    @Test(
        arguments: [
            (false, true, false, 0), (false, false, true, 0), (false, false, false, 1), (false, true, true, 1),
            (true, false, true, 0), (true, true, false, 1), (true, false, false, 1), (true, true, true, 1),
        ] as [(Bool, Bool, Bool, Int)]
    )
    func oneSecretWorksAfterARotationAndTheNewOneIfItWasConfirmed(
        isConfirmed: Bool,
        acceptsEarlier: Bool,
        acceptsNew: Bool,
        violations: Int
    ) {
        var model = CrashModel()
        model.beginSecretRotation(of: "receiver")
        if isConfirmed { model.confirmSecretRotation(of: "receiver") }
        model.checkSecrets(of: "receiver", acceptsEarlier: acceptsEarlier, acceptsNew: acceptsNew)
        #expect(model.violations.count == violations)
    }

    @Test func earlierSecretMustNotComeBackOnceTheNewOneWorked() {
        var model = CrashModel()
        model.beginSecretRotation(of: "receiver")
        model.checkSecrets(of: "receiver", acceptsEarlier: false, acceptsNew: true)
        model.checkSecrets(of: "receiver", acceptsEarlier: true, acceptsNew: false)
        #expect(model.violations.count == 1)
    }

    // MARK: Registrations

    @Test(arguments: [(true, true, 0), (true, false, 1), (false, true, 0), (false, false, 0)])
    func answeredRegistrationExistsAndAnotherMayExist(isAnswered: Bool, exists: Bool, violations: Int) {
        var model = CrashModel()
        model.beginChange(of: Self.token, to: Self.state())
        if isAnswered {
            let credential = DeviceCredential(token: Self.token, secret: "secret")
            model.confirmRegistration(of: Self.token, as: Self.state(), secret: nil, credential)
        }
        model.observeDevices(exists ? [Self.token: Self.state()] : [:])
        #expect(model.violations.count == violations)
    }

    @Test func deviceThatWasSeenMustStay() {
        var model = CrashModel()
        model.beginChange(of: Self.token, to: Self.state())
        model.observeDevices([Self.token: Self.state()])
        model.observeDevices([:])
        #expect(model.violations.count == 1)
    }

    @Test(arguments: [("c0ff", "secret", 0), ("beef", "secret", 1), ("c0ff", "another", 1)])
    func repeatedRegistrationGetsTheSameTokenAndSecret(token: String, secret: String, violations: Int) {
        var model = CrashModel()
        model.beginChange(of: Self.token, to: Self.state())
        let credential = DeviceCredential(token: DeviceToken(rawValue: token), secret: BearerSecret(rawValue: secret))
        model.confirmRegistration(of: Self.token, as: Self.state(), secret: "secret", credential)
        #expect(model.violations.count == violations)
    }

    @Test(arguments: [(true, true, 0), (true, false, 1), (false, true, 0), (false, false, 0)])
    func answeredStandingHoldsAndAnotherMayHold(isAnswered: Bool, holds: Bool, violations: Int) {
        var model = CrashModel()
        model.beginChange(of: Self.token, to: Self.state())
        model.confirmChange(of: Self.token, to: Self.state(), answer: Self.state())
        model.beginChange(of: Self.token, to: Self.state(.expired))
        if isAnswered { model.confirmChange(of: Self.token, to: Self.state(.expired), answer: Self.state(.expired)) }
        model.observeDevices([Self.token: Self.state(holds ? .expired : .active)])
        #expect(model.violations.count == violations)
    }

    @Test func answerWithAnotherStateAndDeviceThatNobodyRegisteredAreFound() {
        var model = CrashModel()
        model.beginChange(of: Self.token, to: Self.state(topics: []))
        model.confirmChange(of: Self.token, to: Self.state(topics: []), answer: Self.state())
        model.observeDevices([Self.token: Self.state(topics: []), "beef": Self.state()])
        #expect(model.violations.count == 2)
    }

    @Test(
        arguments: [
            (TokenStanding.active, true, true), (.active, false, false), (.unregistered, true, false),
            (.expired, true, false), (.wrongEnvironment, true, false),
        ] as [(TokenStanding, Bool, Bool)]
    )
    func itemIsAcceptedIfTheDeviceIsActiveAndHasTheApp(standing: TokenStanding, isInstalled: Bool, expected: Bool) {
        var model = CrashModel()
        let state = Self.state(standing, topics: isInstalled ? [Self.topic] : [])
        model.beginChange(of: Self.token, to: state)
        model.confirmChange(of: Self.token, to: state, answer: state)
        model.checkItem(for: Self.token, topic: Self.topic, isAccepted: expected)
        #expect(model.violations.isEmpty)
        model.checkItem(for: Self.token, topic: Self.topic, isAccepted: !expected)
        #expect(model.violations.count == 1)
    }

    // MARK: Channels

    @Test func createdChannelExistsUntilItIsDeleted() {
        var model = CrashModel()
        model.beginChannel()
        model.createChannel("a")
        model.observeChannels(["a"])
        #expect(model.channels.expectation(of: "a") == .acceptance)
        model.beginDeletion(of: "a")
        #expect(model.channels.expectation(of: "a") == .either)
        model.confirmDeletion(of: "a")
        #expect(model.channels.expectation(of: "a") == .rejection)
        model.observeChannels([])
        #expect(model.violations.isEmpty)
    }

    @Test func lostChannelAndChannelThatComesBackAreFound() {
        var model = CrashModel()
        for channel in ["a", "b"] as [ChannelID] {
            model.beginChannel()
            model.createChannel(channel)
        }
        model.beginDeletion(of: "a")
        model.confirmDeletion(of: "a")
        model.observeChannels(["a"])
        #expect(model.violations.count == 2)
    }

    @Test(arguments: [(["a"], 0), ([], 0), (["a", "b"], 1)] as [([ChannelID], Int)])
    func creationWithoutAnswerMakesAtMostOneChannel(channels: [ChannelID], violations: Int) {
        var model = CrashModel()
        model.beginChannel()
        model.observeChannels(Set(channels))
        #expect(model.violations.count == violations)
    }

    @Test(arguments: [["a"], []] as [[ChannelID]])
    func deletionWithoutAnswerIsClearOnceTheChannelsAreSeen(channels: [ChannelID]) {
        var model = CrashModel()
        model.beginChannel()
        model.createChannel("a")
        model.beginDeletion(of: "a")
        model.observeChannels(Set(channels))
        #expect(model.violations.isEmpty)
        #expect(model.channels.expectation(of: "a") == (channels.isEmpty ? .rejection : .acceptance))
        model.observeChannels(channels.isEmpty ? ["a"] : [])
        #expect(model.violations.count == 1)
    }

    @Test func messageToADeletedChannelMustBeRefusedAndReachNobody() {
        var model = CrashModel()
        let item = CrashItem("m", sender: "s", number: 0, devices: [], expectation: .rejection)
        model.begin([item])
        model.accept("m", id: "id-m")
        #expect(model.violations.count == 1)
        let record = NotificationRecord(sequence: 1, id: "id-m", batch: "b", state: .acknowledged, history: [])
        #expect(model.findings(in: [record], of: .standard).contains { $0.contains("1 times instead of 0 to 0") })
    }
}
