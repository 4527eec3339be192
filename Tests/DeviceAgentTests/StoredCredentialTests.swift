import Foundation
import Testing
import WaypostSchema

@testable import DeviceAgent

/// The rotation of a secret: at each time, the agent has the secret that the gateway accepts.
@Suite struct StoredCredentialTests {
    typealias Answer = StoredCredential.RotationAnswer

    struct Case: CustomTestStringConvertible {
        var answers: [Answer]
        var actions: [StoredCredential.RotationAction]
        var secret: BearerSecret
        var next: BearerSecret?
        var testDescription: String { "\(answers)" }
    }

    private static let registered = DeviceCredential(token: "c0ffee", secret: "earlier")

    private static let cases = [
        Case(answers: [], actions: [], secret: "earlier", next: "next"),
        Case(answers: [.accepted], actions: [.store], secret: "next"),
        Case(answers: [.refused], actions: [.store], secret: "earlier"),
        Case(answers: [.unknownSecret], actions: [.store], secret: "earlier"),
        Case(answers: [.missing], actions: [.sendLater], secret: "earlier", next: "next"),
        Case(answers: [.missing, .accepted], actions: [.sendLater, .store], secret: "next"),
        Case(answers: [.missing, .unknownSecret], actions: [.sendLater, .store], secret: "earlier"),
        // The request without an answer may have replaced the secret.
        Case(answers: [.missing, .refused], actions: [.sendLater, .sendLater], secret: "earlier", next: "next"),
    ]

    @Test(arguments: cases) func answersDecideWhichSecretStays(_ example: Case) {
        var credential = StoredCredential(Self.registered)
        credential.beginRotation(to: "next")
        var actions: [StoredCredential.RotationAction] = []
        for answer in example.answers { actions.append(credential.record(answer)) }
        #expect(actions == example.actions)
        #expect(credential.secret == example.secret)
        #expect(credential.nextSecret == example.next)
        #expect(credential.token == "c0ffee")
        // The registration is the same, so that the tokens of apps stay.
        #expect(credential.firstSecret == "earlier")
    }

    @Test func anotherRotationGoesOnWithTheSecretThatWasSent() {
        var credential = StoredCredential(Self.registered)
        credential.beginRotation(to: "next")
        credential.beginRotation(to: "third")
        #expect(credential.nextSecret == "next")
    }

    /// The agent ended before it stored the answer.
    @Test func storedRotationKeepsBothSecretsIfItIsRefused() throws {
        var credential = StoredCredential(Self.registered)
        credential.beginRotation(to: "next")
        var stored = try JSONDecoder().decode(StoredCredential.self, from: try JSONEncoder().encode(credential))
        #expect(stored.secret == "earlier")
        #expect(stored.nextSecret == "next")
        let action = stored.record(.refused)
        #expect(action == .sendLater)
        #expect(stored.nextSecret == "next")
    }

    @Test func fileOfAnEarlierVersionIsRead() throws {
        let file = Data(#"{"token":"c0ffee","secret":"earlier","findings":[]}"#.utf8)
        let credential = try JSONDecoder().decode(StoredCredential.self, from: file)
        #expect(credential == StoredCredential(Self.registered))
    }

    /// Answers to requests with the earlier secret arrive late.
    @Test func lateAnswersChangeNothing() throws {
        let description = DeviceDescription(name: "iPad", apps: [])
        let device = try DeviceStore(description, in: nil, at: Timestamp(milliseconds: 0))
        device.setCredential(Self.registered, replacing: nil)
        try device.beginSecretRotation(to: "next")
        #expect(device.settledSecret == nil)
        let isRemovedInBetween = device.removeCredential(with: "earlier")
        #expect(!isRemovedInBetween)
        device.record(.accepted)
        let isRemovedAfterwards = device.removeCredential(with: "earlier")
        #expect(!isRemovedAfterwards)
        device.setCredential(Self.registered, replacing: Self.registered)
        #expect(device.credential == DeviceCredential(token: "c0ffee", secret: "next"))
        #expect(device.settledSecret?.current == "next")
        #expect(device.settledSecret?.first == "earlier")
        let isRemoved = device.removeCredential(with: "next")
        #expect(isRemoved)
        #expect(device.credential == nil)
    }
}
