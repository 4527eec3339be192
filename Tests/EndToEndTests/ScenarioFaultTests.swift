import Foundation
import Testing

/// Scenarios find bugs that a proxy between the gateway and the agents plants.
@Suite(.timeLimit(.minutes(5)), .serialized) struct ScenarioFaultTests {
    private static let thousand = Scenario.example("thousand.yaml")

    /// Runs an example through a proxy, and returns what it prints.
    private static func run(_ file: String, making mistake: DeliveryProxy.Mistake) async throws -> Program.Result {
        try await Program.whileRunning(
            "waypost-gateway",
            [
                "--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0",
                "--clock", "manual", "--store", "memory",
            ]
        ) { gateway in
            let service = try await gateway.value(after: "service")
            let courier = try await gateway.value(after: "courier")
            return try await DeliveryProxy.whileRunning(before: service, courier: courier, making: mistake) { proxy in
                try await Program.run("waypost", ["scenario", "run", file, "--gateway", proxy, "--format", "story"])
            }
        }.value
    }

    @Test func oneLostNotificationInAThousandIsNamed() async throws {
        let result = try await Self.run(Self.thousand, making: .drop(417))
        #expect(result.status == 1)
        #expect(result.output.contains("iPad is connected, but did not acknowledge 'Honk 417'"), "\(result.output)")
        #expect(result.output.contains("The gateway's log of 'Honk 417'"), "\(result.output)")
    }

    @Test func notificationThatArrivesTwiceWithAnotherIdentifierIsNamed() async throws {
        let result = try await Self.run(Self.thousand, making: .repeatWithAnotherIdentifier(5))
        #expect(result.status == 1)
        let expected =
            "'Honk 5' (d0000000-0000-4000-8000-00000000000d) arrived, which the gateway never accepted for it; it is a "
            + "second 'Honk 5' with another identifier"
        #expect(result.output.contains(expected), "\(result.output)")
    }

    @Test func twoNotificationsInTheWrongOrderAreNamed() async throws {
        let result = try await Self.run(Self.thousand, making: .swapWithTheNext(731))
        #expect(result.status == 1)
        #expect(result.output.contains("'Honk 732' arrived first on iPad"), "\(result.output)")
        #expect(result.output.contains("'Honk 731' arrives before 'Honk 732'"), "\(result.output)")
    }

    @Test func conditionsThatOpenTheWrongSceneAreNamed() async throws {
        let town = try Scenario.copyOfExamples()
        defer { try? FileManager.default.removeItem(at: town) }
        let device = town.appending(path: "town/devices/ipad.yaml")
        let text = try String(contentsOf: device, encoding: .utf8)
        let wrong = text.replacing(
            "prefersToActivateForTargetContentIdentifierPredicate: SELF == ",
            with: "prefersToActivateForTargetContentIdentifierPredicate: SELF != "
        )
        #expect(wrong != text)
        try wrong.write(to: device, atomically: true, encoding: .utf8)
        let file = town.appending(path: "crusty.yaml").path
        let result = try await Program.run("waypost", ["scenario", "run", file, "--format", "story"])
        #expect(result.status == 1)
        #expect(result.output.contains("expected scene crusty-detail, got overview"), "\(result.output)")
        #expect(result.output.contains("SELF != \"https://clowntown.example/clowns/crusty\""), "\(result.output)")
    }
}
