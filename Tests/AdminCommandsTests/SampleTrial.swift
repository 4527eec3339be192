import ProviderTrials
import Testing
import WaypostSchema

@testable import AdminCommands

/// A trial with any steps, and what it needs.
enum SampleTrial {
    static let setup = TrialSetup(
        tokens: (0..<20).map { DeviceToken(rawValue: "token-\($0)") },
        keys: [
            TrialKey(id: "KEY1", team: "TEAM1", file: "/keys/1.p8", publicKey: "first"),
            TrialKey(id: "KEY2", team: "TEAM2", file: "/keys/2.p8", publicKey: "second"),
        ],
        registeredAt: Timestamp(milliseconds: 1_800_000_000_000)
    )

    static let time = Timestamp(milliseconds: 1_800_000_005_000)

    /// Returns a trial with steps.
    static func make(_ steps: [TrialStep] = [], movesClock: Bool = false) throws -> ProviderTrial {
        var trial = try #require(ProviderTrial.all.first)
        (trial.name, trial.steps, trial.movesClock) = ("sample", steps, movesClock)
        (trial.rule, trial.source, trial.advice) = ("A rule.", "A page", "Do better.")
        return trial
    }

    /// Returns the request of a message.
    static func request(
        _ number: Int,
        marker: String,
        status: Int? = 200,
        fault: SendFault.Kind? = nil
    ) -> ProviderRequestRecord {
        ProviderRequestRecord(
            number: number,
            at: time,
            status: status,
            fault: fault,
            body: #"{"aps":{},"marker":"\#(marker)"}"#
        )
    }
}
