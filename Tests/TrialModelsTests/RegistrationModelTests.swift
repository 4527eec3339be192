import Testing
import TrialModels

@Suite struct RegistrationModelTests {
    private typealias Action = ConcurrentAction<RegistrationModel>
    private typealias Request = (RegistrationModel.Action, RegistrationModel.Response)

    private func isExplained(_ history: [Action], from state: RegistrationModel.State = .init()) -> Bool {
        let verdict = Linearizability(RegistrationModel(from: state)).verdict(of: history)
        guard case .explained = verdict else { return false }
        return true
    }

    /// Returns requests of which each begins when the last one has ended.
    private func sequence(_ requests: Request...) -> [Action] {
        requests.enumerated().map { Action($1.0, $1.1, begin: 2 * $0, end: 2 * $0 + 1) }
    }

    /// Returns requests of which all begin before one ends.
    private func together(_ requests: Request...) -> [Action] {
        requests.enumerated().map { Action($1.0, $1.1, begin: $0, end: 100 + $0) }
    }

    private func register(_ token: String, _ name: String, secret: String? = nil) -> RegistrationModel.Action {
        .register(token: token, name: name, secret: secret)
    }

    @Test func oneOfConcurrentRegistrationsGetsTheToken() {
        let (first, second) = (register("a", "1"), register("a", "2"))
        #expect(isExplained(together((first, .tokenTaken), (second, .registered(secret: "s")))))
        #expect(!isExplained(together((first, .registered(secret: "s")), (second, .registered(secret: "t")))))
        #expect(!isExplained(together((first, .tokenTaken), (second, .tokenTaken))))
    }

    @Test func agentRegistersItsTokenAgain() {
        let history = sequence(
            (register("a", "1"), .registered(secret: "s")),
            (register("a", "2", secret: "s"), .registered(secret: "s")),
            (.read(token: "a"), .found(name: "2", standing: "active"))
        )
        #expect(isExplained(history))
        #expect(!isExplained(sequence((register("a", "1", secret: "s"), .registered(secret: "s")))))
        #expect(isExplained(sequence((register("a", "1", secret: "s"), .unknownSecret))))
    }

    @Test(
        arguments: [
            ("s", "unregistered", true), ("s", "active", false), (nil, "active", true),
        ] as [(String?, String, Bool)]
    )
    func registeringAgainKeepsTheStandingForTheAgentItself(
        _ expected: (secret: String?, standing: String, isPossible: Bool)
    ) {
        let secret = expected.secret
        let history = sequence(
            (register("a", "1"), .registered(secret: "s")),
            (.setStanding(token: "a", standing: "unregistered"), .changed),
            (register("a", "2", secret: secret), .registered(secret: secret ?? "t")),
            (.read(token: "a"), .found(name: "2", standing: expected.standing))
        )
        #expect(isExplained(history) == expected.isPossible)
    }

    @Test func joiningDeviceTakesNoTokenOfAnotherAgent() {
        let start = sequence(
            (register("a", "1"), .registered(secret: "s")),
            (register("b", "2"), .registered(secret: "t")),
            (.setStanding(token: "a", standing: "expired"), .changed),
            (register("a", "3", secret: "t"), .tokenTaken)
        )
        #expect(isExplained(start))
    }

    @Test func oneOfConcurrentRotationsSucceeds() {
        var state = RegistrationModel.State()
        state.secrets = ["s"]
        state.devices = ["a": .init(secret: "s", name: "1"), "b": .init(secret: "s", name: "2")]
        let (first, second) = (
            RegistrationModel.Action.rotate(token: "a", to: "c"), RegistrationModel.Action.rotate(token: "b", to: "c")
        )
        #expect(isExplained(together((first, .changed), (second, .tokenTaken)), from: state))
        #expect(!isExplained(together((first, .changed), (second, .changed)), from: state))
        #expect(isExplained(together((first, .changed), (first, .tokenTaken)), from: state))
        let read = Action(.read(token: "a"), .found(name: "1", standing: "unregistered"), begin: 200, end: 201)
        #expect(isExplained(together((first, .changed)) + [read], from: state))
    }

    @Test func resetForgetsDevicesAndAgents() {
        let history = sequence(
            (register("a", "1"), .registered(secret: "s")),
            (.reset, .changed),
            (.read(token: "a"), .unknownDevice),
            (register("a", "2", secret: "s"), .unknownSecret),
            (.rotate(token: "a", to: "b"), .unknownDevice)
        )
        #expect(isExplained(history))
    }

    @Test func unansweredRegistrationMayHaveHappened() {
        let unanswered = Action(unanswered: register("a", "1"), begin: 0)
        let later = { (response: RegistrationModel.Response) in
            Action(.read(token: "a"), response, begin: 1, end: 2)
        }
        #expect(isExplained([unanswered, later(.found(name: "1", standing: "active"))]))
        #expect(isExplained([unanswered, later(.unknownDevice)]))
        #expect(!isExplained([unanswered, later(.found(name: "2", standing: "active"))]))
    }
}
