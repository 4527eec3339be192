internal import Foundation
internal import NIOCore
internal import Synchronization

/// The recorder of a load test, which the generator and the fleet use from several threads.
final class SharedRecorder: Sendable {
    private let recorder: Mutex<LoadRecorder>

    private let startNanoseconds = Atomic<UInt64>(0)

    /// The wall time of the start, in seconds since 1970.
    var startTime: Double {
        Date().timeIntervalSince1970 - Double((NIODeadline.now() - start).nanoseconds) / 1e9
    }

    init(_ recorder: LoadRecorder) {
        self.recorder = Mutex(recorder)
    }

    /// The time of the start of the load, which is set once, before the first request.
    var start: NIODeadline {
        get { .uptimeNanoseconds(startNanoseconds.load(ordering: .relaxed)) }
        set { startNanoseconds.store(newValue.uptimeNanoseconds, ordering: .relaxed) }
    }

    /// Returns a time in microseconds since the start.
    func microseconds(_ time: NIODeadline) -> Int {
        Int((time - start).nanoseconds / 1_000)
    }

    /// Changes or reads the recorder.
    func withRecorder<Value: Sendable>(_ body: (inout sending LoadRecorder) -> sending Value) -> Value {
        recorder.withLock { body(&$0) }
    }
}
