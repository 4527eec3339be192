import Testing
import TrialModels
import WaypostTestSupport

@Suite struct LinearizabilityTests {
    private let search = Linearizability(RegisterModel())

    private func isExplained(_ history: [RegisterAction]) -> Bool {
        guard case .explained = search.verdict(of: history) else { return false }
        return true
    }

    @Test func historyWithoutActionsIsExplained() {
        #expect(search.verdict(of: []) == .explained(order: []))
    }

    @Test func orderOfActionsThatDoNotOverlapIsGiven() {
        let history: [RegisterAction] = [.write(1, 0...1), .read(1, 2...3), .write(2, 4...5), .read(2, 6...7)]
        #expect(search.verdict(of: history) == .explained(order: [0, 1, 2, 3]))
        #expect(!isExplained([.write(1, 0...1), .read(0, 2...3)]))
    }

    @Test(arguments: [(0, true), (1, true), (2, false)]) func readDuringAWriteReturnsTheValueBeforeOrAfterIt(
        _ value: Int,
        _ expected: Bool
    ) {
        #expect(isExplained([.write(1, 0...3), .read(value, 1...2)]) == expected)
    }

    @Test func writeIsNotUndone() {
        #expect(!isExplained([.write(1, 0...5), .read(1, 1...2), .read(0, 3...4)]))
        #expect(isExplained([.write(1, 0...5), .read(0, 1...2), .read(1, 3...4)]))
    }

    @Test func actionWithoutAResponseHasHappenedOrNot() {
        let write = RegisterAction(unanswered: .write(1), begin: 0)
        #expect(isExplained([write, .read(0, 1...2)]))
        #expect(isExplained([write, .read(0, 1...2), .read(1, 3...4)]))
        #expect(!isExplained([write, .read(1, 1...2), .read(0, 3...4)]))
    }

    @Test func actionWithoutAResponseDoesNotHappenBeforeItBegan() {
        #expect(!isExplained([.read(1, 0...1), RegisterAction(unanswered: .write(1), begin: 2)]))
    }

    @Test func reportHasTheLongestOrderThatExplainsAPart() {
        let history: [RegisterAction] = [.write(1, 0...1), .read(1, 2...3), .read(0, 4...5)]
        #expect(search.verdict(of: history) == .unexplained(longest: [0, 1]))
    }

    @Test func searchGivesUp() {
        let history: [RegisterAction] = (1...12).map { .write($0, $0...100 + $0) } + [.read(99, 50...200)]
        #expect(Linearizability(RegisterModel(), maximumSteps: 50).verdict(of: history) == .undecided)
    }

    /// Most actions of a race leave the state as it is, and must not multiply the steps.
    @Test func manyEqualReadsAreFast() {
        let reads = (0..<300).map { RegisterAction.read(1, 2 + $0...1_000 + $0) }
        #expect(!isExplained([.write(1, 0...1)] + reads + [.read(0, 400...900)]))
        #expect(isExplained([.write(1, 0...1)] + reads))
    }

    /// The search agrees with one that tries every order.
    @Test func verdictIsThatOfAllPermutations() {
        var generator = SeededGenerator(seed: 11)
        var explained = 0
        for _ in 0..<2_000 {
            let history = RegisterAction.random(count: 5, using: &generator)
            let expected = hasOrder(history, from: RegisterModel().initialState)
            #expect(isExplained(history) == expected, "\(history)")
            if expected { explained += 1 }
        }
        #expect((100...1_900).contains(explained))
    }

    /// Returns whether an order explains a history; tries each action that may come next.
    private func hasOrder(_ history: [RegisterAction], from state: Int) -> Bool {
        guard history.contains(where: { $0.end != nil }) else { return true }
        return history.indices.contains { index in
            let next = history[index]
            var others = history
            others.remove(at: index)
            guard others.allSatisfy({ $0.end.map { $0 > next.begin } ?? true }) else { return false }
            return RegisterModel().states(after: next.action, with: next.response, from: state)
                .contains { hasOrder(others, from: $0) }
        }
    }

    /// The order that the search returns explains the responses, and respects the times.
    @Test func orderIsAnExplanation() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            let history = RegisterAction.random(count: 8, using: &generator)
            guard case .explained(let order) = search.verdict(of: history) else { continue }
            var state = RegisterModel().initialState
            for index in order {
                let action = history[index]
                let states = RegisterModel().states(after: action.action, with: action.response, from: state)
                #expect(states.count == 1)
                state = states.first ?? state
            }
            for (place, index) in order.enumerated() {
                let later = order[(place + 1)...]
                #expect(later.allSatisfy { history[$0].end.map { $0 > history[index].begin } ?? true })
            }
            #expect(Set(order).isSuperset(of: history.indices.filter { history[$0].end != nil }))
        }
    }
}
