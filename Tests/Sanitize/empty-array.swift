// A program without a data race, for which the thread sanitizer reports one without suppressions.txt.
import Dispatch

func makeEmptyArray() -> Int {
    [Int](unsafeUninitializedCapacity: 0) { _, count in count = 0 }.count
}

DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<1_000 { _ = makeEmptyArray() }
}
