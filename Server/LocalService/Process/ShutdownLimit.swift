package import Dispatch
internal import Foundation

/// The limit on the time that a program takes to end after SIGTERM or SIGINT, whatever it is doing.
///
/// The services get five seconds (`ServiceGroup.run`). If work that cannot be canceled goes on after that, the process
/// ends without it: everything that was confirmed is on the disk, as after a crash.
package enum ShutdownLimit {
    /// The maximum time from the signal to the end of the process.
    package static let duration = DispatchTimeInterval.seconds(20)

    /// The exit status of a process that the limit has ended.
    package static let exitStatus: CInt = 75

    private static let queue = DispatchQueue(label: "shutdown-limit")

    /// Starts to watch for the signals; call it once.
    ///
    /// - Parameters:
    ///   - limit: the limit.
    ///   - onForcedEnd: called before the limit ends the process.
    /// - Returns: the watch, which lasts as long as the value.
    package static func watch(
        limit: DispatchTimeInterval,
        onForcedEnd: @escaping @Sendable () -> Void
    ) -> Watch {
        Watch(
            sources: [SIGTERM, SIGINT].map { signal in
                let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
                source.setEventHandler { endProcess(after: limit, onForcedEnd) }
                source.resume()
                return source
            }
        )
    }

    /// Ends the process after `limit`, if it has not ended by then.
    package static func endProcess(
        after limit: DispatchTimeInterval,
        _ onForcedEnd: @escaping @Sendable () -> Void = {}
    ) {
        queue.asyncAfter(deadline: .now() + limit) {
            onForcedEnd()
            writeToStandardError("the shutdown took too long; the process ends now\n")
            _exit(exitStatus)
        }
    }

    /// Writes a message to standard error, unless that would block: the process must end in any case.
    private static func writeToStandardError(_ message: String) {
        var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&standardError, 1, 0) == 1 else { return }
        try? FileHandle.standardError.write(contentsOf: Data(message.utf8))
    }

    /// A watch for the signals.
    package struct Watch {
        fileprivate let sources: [any DispatchSourceSignal]

        /// Ends the watch, after the services have ended.
        package func end() {
            for source in sources { source.cancel() }
        }
    }
}
