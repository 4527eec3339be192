import GatewayStore
import Testing
import WaypostSchema

@testable import Gateway

/// Acknowledgements that are stored together.
@Suite struct AcknowledgementIntakeTests {
    @Test(
        arguments: [
            ([], []), ([5], [[5]]), ([20_000], [[20_000]]), ([5, 6], [[5, 6]]), ([20_001, 1], [[20_001], [1]]),
            ([19_999, 1, 1], [[19_999, 1], [1]]), ([1, 50_000, 2, 3], [[1], [50_000], [2, 3]]),
        ] as [([Int], [[Int]])]
    )
    func piecesHaveAtMostAsManySequencesAsAreStoredTogether(_ counts: [Int], _ pieces: [[Int]]) {
        let agent = AgentID(namespace: .standard, number: 1)
        let waiting = counts.map { count in
            AcknowledgementIntake.PendingAcknowledgement(agent: agent, sequences: Array(0..<count)) { _ in }
        }
        #expect(AcknowledgementIntake.groups(waiting).map { $0.map(\.sequences.count) } == pieces)
    }
}
