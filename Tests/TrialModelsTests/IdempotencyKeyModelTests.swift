import Testing
import TrialModels

@Suite struct IdempotencyKeyModelTests {
    private typealias Action = ConcurrentAction<IdempotencyKeyModel>

    private func isExplained(_ history: [Action]) -> Bool {
        guard case .explained = Linearizability(IdempotencyKeyModel()).verdict(of: history) else { return false }
        return true
    }

    /// Returns actions of which all begin before one ends.
    private func together(_ answers: [(body: String, response: IdempotencyKeyModel.Response)]) -> [Action] {
        answers.enumerated().map { index, answer in
            Action(.send(body: answer.body), answer.response, begin: index, end: 100 + index)
        }
    }

    private func first(_ receipt: String, hasAcceptedItems: Bool = true) -> IdempotencyKeyModel.Response {
        .first(receipt: receipt, hasAcceptedItems: hasAcceptedItems)
    }

    @Test func oneOfConcurrentBatchesIsTheFirst() {
        #expect(isExplained(together([("a", .replayed(receipt: "1")), ("a", first("1")), ("b", .conflict)])))
        #expect(!isExplained(together([("a", first("1")), ("a", first("2"))])))
        #expect(!isExplained(together([("a", .replayed(receipt: "1")), ("a", .replayed(receipt: "1"))])))
    }

    @Test func repetitionHasTheReceiptAndTheBodyOfTheFirst() {
        #expect(!isExplained(together([("a", first("1")), ("a", .replayed(receipt: "2"))])))
        #expect(!isExplained(together([("a", first("1")), ("b", .replayed(receipt: "1"))])))
        #expect(!isExplained(together([("a", first("1")), ("a", .conflict)])))
        #expect(!isExplained(together([("a", .conflict), ("b", .conflict)])))
    }

    @Test func refusedBatchLeavesTheKeyUnused() {
        #expect(isExplained(together([("b", .refused), ("a", first("1"))])))
    }

    @Test func resetFreesTheKey() {
        let answers = together([("a", first("1")), ("b", first("2"))])
        #expect(!isExplained(answers))
        #expect(isExplained(answers + [Action(.reset, .done, begin: 50, end: 200)]))
        #expect(!isExplained(answers + [Action(.reset, .done, begin: 150, end: 200)]))
    }

    @Test func batchWithoutAcceptedItemsMayLeaveTheKeyUnused() {
        let answers = together([("a", first("1", hasAcceptedItems: false)), ("b", first("2"))])
        #expect(isExplained(answers))
        #expect(isExplained(together([("a", first("1", hasAcceptedItems: false)), ("a", .replayed(receipt: "1"))])))
    }

    @Test func batchWithoutAResponseMayBeStored() {
        let unanswered = Action(unanswered: .send(body: "a"), begin: 0)
        let later = { (body: String, response: IdempotencyKeyModel.Response) in
            Action(.send(body: body), response, begin: 1, end: 2)
        }
        #expect(isExplained([unanswered, later("a", .replayed(receipt: "1"))]))
        #expect(isExplained([unanswered, later("a", first("1"))]))
        #expect(isExplained([unanswered, later("b", .conflict)]))
        #expect(!isExplained([unanswered, later("b", .replayed(receipt: "1"))]))
    }
}
