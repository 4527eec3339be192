/// A search for one order of concurrent actions that explains all their responses.
///
/// The search is that of Wing and Gong, with Lowe's memoization: it appends one of the actions that may come next, and
/// goes back if no action fits. An action may come next if no other one that is not in the order yet had ended before
/// it began. A set of done actions is not examined twice with the same state.
///
/// An action that never changes anything, such as a read, is appended without a choice if it fits now. If an order exists
/// in which it comes later, it can be moved to this place: the state before the other actions does not change.
package struct Linearizability<Model: SequentialModel>: Sendable {
    /// The result of a search.
    package enum Verdict: Sendable, Equatable {
        /// The actions can have happened in this order, which has their places in the history.
        case explained(order: [Int])

        /// No order explains the responses; the longest one that explains a part of them.
        case unexplained(longest: [Int])

        /// The search has examined the maximum number of steps.
        case undecided
    }

    private let model: Model
    private let maximumSteps: Int

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - model: The rules of the object.
    ///   - maximumSteps: The number of steps after which the search gives up.
    package init(_ model: Model, maximumSteps: Int = 300_000) {
        (self.model, self.maximumSteps) = (model, maximumSteps)
    }

    /// Returns whether one order explains a history.
    package func verdict(of history: [ConcurrentAction<Model>]) -> Verdict {
        var search = OrderSearch(model: model, history: history)
        return search.run(maximumSteps: maximumSteps)
    }
}

/// The state of a search.
private struct OrderSearch<Model: SequentialModel> {
    /// The actions that are in the order, and the state after them.
    struct Position: Hashable {
        var done: ActionSet
        var state: Model.State
    }

    /// An action that may come next, and the state after it.
    struct Choice {
        var action: Int
        var state: Model.State
    }

    /// A place in the order, with the choices for the next place that were not tried.
    struct Step {
        /// The last action; `nil` before the first one.
        var action: Int?

        var position: Position
        var choices: [Choice]
    }

    let model: Model
    let history: [ConcurrentAction<Model>]
    private var steps: [Step] = []
    private var examinedPositions: Set<Position> = []
    private var longest: [Int] = []

    init(model: Model, history: [ConcurrentAction<Model>]) {
        (self.model, self.history) = (model, history)
    }

    mutating func run(maximumSteps: Int) -> Linearizability<Model>.Verdict {
        enter(Position(done: ActionSet(count: history.count), state: model.initialState), after: nil)
        while let step = steps.last {
            if isComplete(step.position) { return .explained(order: order) }
            guard examinedPositions.count < maximumSteps else { return .undecided }
            guard let choice = step.choices.last else {
                steps.removeLast()
                continue
            }
            steps[steps.count - 1].choices.removeLast()
            var done = step.position.done
            done.insert(choice.action)
            enter(Position(done: done, state: choice.state), after: choice.action)
        }
        return .unexplained(longest: longest)
    }

    /// Adds a place to the order, unless it was examined before.
    private mutating func enter(_ position: Position, after action: Int?) {
        guard examinedPositions.insert(position).inserted else { return }
        steps.append(Step(action: action, position: position, choices: choices(at: position)))
        if steps.count > longest.count + 1 { longest = order }
    }

    private var order: [Int] {
        steps.compactMap(\.action)
    }

    /// Returns whether all actions that have ended are in the order.
    private func isComplete(_ position: Position) -> Bool {
        history.indices.allSatisfy { history[$0].end == nil || position.done.contains($0) }
    }

    /// Returns the choices for the next place; the last one is tried first.
    private func choices(at position: Position) -> [Choice] {
        let open = history.indices.filter { !position.done.contains($0) }
        let firstEnd = open.compactMap { history[$0].end }.min() ?? .max
        // Actions that ended early are tried first, and those without a response last.
        let candidates = open.filter { history[$0].begin < firstEnd }
            .sorted { (history[$0].end ?? .max) > (history[$1].end ?? .max) }
        var choices: [Choice] = []
        for index in candidates {
            let action = history[index]
            let states = model.states(after: action.action, with: action.response, from: position.state)
            if let response = action.response, states == [position.state],
                model.changesNothing(action.action, with: response)
            {
                return [Choice(action: index, state: position.state)]
            }
            for state in states where action.end != nil || state != position.state {
                choices.append(Choice(action: index, state: state))
            }
        }
        return choices
    }
}

/// A set of places in a history.
private struct ActionSet: Hashable {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    func contains(_ index: Int) -> Bool {
        words[index / 64] >> UInt64(index % 64) & 1 == 1
    }

    mutating func insert(_ index: Int) {
        words[index / 64] |= 1 << UInt64(index % 64)
    }
}
