// A program without a data race, for which the thread sanitizer reports one unless mutex-annotations.c is preloaded.
import Foundation
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
let threads = (0..<4).map { _ in Thread { for _ in 0..<100_000 { counter.add() } } }
for thread in threads { thread.start() }
while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
print(counter.count)
