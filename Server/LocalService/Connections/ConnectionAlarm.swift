package import NIOCore

/// An alarm of a connection, whose cost does not grow with the number of connections.
///
/// NIO looks through all tasks of an event loop to cancel one. So a task of this alarm is never canceled: when it runs
/// too early, or after the alarm was cleared, it does nothing or is scheduled again. Use it on the event loop only.
package final class ConnectionAlarm {
    private let eventLoop: any EventLoop
    private var action: (() -> Void)?
    private var deadline: NIODeadline?

    /// The time of the task that counts; earlier ones have run, and later ones do nothing.
    private var nextTaskTime: NIODeadline?

    /// Creates an alarm that is not set.
    package init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Sets the alarm, in place of an earlier one.
    ///
    /// - Parameters:
    ///   - time: the time from now to the alarm.
    ///   - action: called then, unless the alarm is set again or cleared.
    package func set(in time: TimeAmount, _ action: @escaping () -> Void) {
        let deadline = eventLoop.now + time
        self.deadline = deadline
        self.action = action
        if nextTaskTime.map({ deadline < $0 }) ?? true { schedule(deadline) }
    }

    /// Clears the alarm, and releases its action.
    package func clear() {
        deadline = nil
        action = nil
    }

    private func schedule(_ taskTime: NIODeadline) {
        nextTaskTime = taskTime
        let alarm = NIOLoopBound(WeakAlarm(alarm: self), eventLoop: eventLoop)
        eventLoop.scheduleTask(deadline: taskTime) { alarm.value.alarm?.run(taskTime) }
    }

    private func run(_ taskTime: NIODeadline) {
        guard nextTaskTime == taskTime else { return }
        nextTaskTime = nil
        guard let deadline else { return }
        guard deadline <= taskTime else { return schedule(deadline) }
        let action = action
        clear()
        action?()
    }

    private struct WeakAlarm {
        weak var alarm: ConnectionAlarm?
    }
}
