// A program without a data race, for which the thread sanitizer reports one without suppressions.txt.
import Foundation

func makeEmptyArray() -> Int {
    [Int](unsafeUninitializedCapacity: 0) { _, count in count = 0 }.count
}

let threads = (0..<4).map { _ in Thread { for _ in 0..<1_000 { _ = makeEmptyArray() } } }
for thread in threads { thread.start() }
while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
