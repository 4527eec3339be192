internal import Foundation

/// The reports that the Swift runtime writes when a process crashes.
package enum CrashReports {
    /// The signals for which the runtime installs a handler.
    package static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]

    /// Lets the process end at once if it crashes, unless the environment variable `SWIFT_BACKTRACE` asks for reports.
    ///
    /// In a release build, a report takes seconds, during which nothing is served, and says little.
    package static func turnOffInRelease() {
        #if !DEBUG
        guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
        turnOff()
        #endif
    }

    /// Lets the process end at once if it crashes.
    package static func turnOff() {
        for crash in signals { signal(crash, SIG_DFL) }
    }
}
