// A program without a data race, for which the thread sanitizer reports one unless mutex-annotations.c is preloaded.
import Dispatch
import Synchronization

final class Counter: Sendable {
    private let value = Mutex(0)

    func add() {
        value.withLock { $0 += 1 }
    }

    var count: Int {
        value.withLock(\.self)
    }
}

let counter = Counter()
DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<100_000 { counter.add() }
}
print(counter.count)
