internal import Fleets
internal import Foundation
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// The recorder of a load test, which the generator and the fleet use from several threads.
final class SharedRecorder: Sendable {
    private let recorder: Mutex<LoadRecorder>

    private let startNanoseconds = Atomic<UInt64>(0)

    /// The wall time of the start, in seconds since 1970.
    var wallStart: Double {
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

/// Passes on what happens to the notifications of a fleet.
final class RecorderObserver: FleetObserver {
    private let recorder: SharedRecorder

    init(_ recorder: SharedRecorder) {
        self.recorder = recorder
    }

    func notificationArrived(_ id: NotificationID, on device: DeviceToken, isFirst: Bool, at time: NIODeadline) {
        let now = recorder.microseconds(time)
        recorder.withRecorder { $0.recordArrival(of: id, on: device, at: now) }
    }

    func notificationsAcknowledged(_ notifications: [(id: NotificationID, device: DeviceToken)], at time: NIODeadline) {
        let now = recorder.microseconds(time)
        recorder.withRecorder { recorder in
            for (id, device) in notifications { recorder.recordAcknowledgement(of: id, on: device, at: now) }
        }
    }
}
