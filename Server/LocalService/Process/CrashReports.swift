internal import Foundation

/// The reports that the Swift runtime writes when a process crashes.
package enum CrashReports {
    /// The signals for which the runtime installs a handler.
    package static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]

    /// Turns the reports off in a release build, unless the environment variable `SWIFT_BACKTRACE` is set.
    ///
    /// A report of a release build takes seconds, during which nothing is served, and says little.
    package static func turnOffInRelease() {
        #if !DEBUG
        guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
        turnOff()
        #endif
    }

    /// Turns the reports off, so that a crash ends the process at once.
    package static func turnOff() {
        for number in signals { signal(number, SIG_DFL) }
    }
}
