import Foundation
import WaypostTestSupport

extension ChildProcess {
    /// The result of waiting for a line.
    package enum LineWait: Sendable, Equatable {
        /// The process has written the line.
        case found

        /// The process has ended without it.
        case ended

        /// The time was over, so the process was killed.
        case killed
    }

    /// Waits until the process has written a line with `text`; if that takes longer than `limit`, kills the process.
    package func waitForLine(with text: String, within limit: Duration) async -> LineWait {
        await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                for await line in self.lines where line.contains(text) { return true }
                return false
            }
            group.addTask {
                try? await waitUntil("the line '\(text)' was written", within: limit) { false }
                // It is canceled if the process has written the line or ended.
                if !Task.isCancelled, !self.hasEnded { self.send(SIGKILL) }
                return nil
            }
            var wasKilled = false
            while let result = await group.next() {
                guard let isFound = result else {
                    wasKilled = true
                    continue
                }
                group.cancelAll()
                return wasKilled ? .killed : isFound ? .found : .ended
            }
            return .ended
        }
    }
}
