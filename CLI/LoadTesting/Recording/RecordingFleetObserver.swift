internal import Fleets
internal import NIOCore
internal import WaypostSchema

/// An observer of a fleet that records the arrivals and acknowledgements of notifications.
final class RecordingFleetObserver: FleetObserver {
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
