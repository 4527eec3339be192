import TrialModels
import WaypostTestSupport

/// A variable that is read and written: a small model, for tests of the search.
struct RegisterModel: SequentialModel {
    enum Action: Sendable, Hashable {
        case read
        case write(Int)
    }

    let initialState = 0

    func changesNothing(_ action: Action, with response: Int) -> Bool {
        action == .read
    }

    func states(after action: Action, with response: Int?, from state: Int) -> [Int] {
        switch action {
        case .read: response == nil || response == state ? [state] : []
        case .write(let value): [value]
        }
    }
}

typealias RegisterAction = ConcurrentAction<RegisterModel>

extension RegisterAction {
    /// A read that returned `value`.
    static func read(_ value: Int, _ time: ClosedRange<Int>) -> Self {
        Self(.read, value, begin: time.lowerBound, end: time.upperBound)
    }

    /// A write of `value`.
    static func write(_ value: Int, _ time: ClosedRange<Int>) -> Self {
        Self(.write(value), value, begin: time.lowerBound, end: time.upperBound)
    }

    /// Returns a history of random reads and writes at random times, which an order may explain or not.
    static func random(count: Int, using generator: inout SeededGenerator) -> [Self] {
        let times = Array(0..<2 * count).shuffled(using: &generator)
        return (0..<count).map { index in
            let ends = times[2 * index..<2 * index + 2].sorted()
            let time = ends[0]...ends[1]
            let value = Int.random(in: 0...2, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: return Self(unanswered: .write(value), begin: time.lowerBound)
            case 1...3: return .write(value, time)
            default: return .read(value, time)
            }
        }
    }
}
