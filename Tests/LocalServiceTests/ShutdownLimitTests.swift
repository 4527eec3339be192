import Foundation
import LocalService
import Logging
import ServiceLifecycle
import Testing

/// A service that runs until the shutdown.
private struct EndlessService: Service {
    func run() async throws {
        try await gracefulShutdown()
    }
}

/// A service that ends at once, as at the end of standard input.
private struct EndedService: Service {
    func run() async throws {}
}

@Suite struct ShutdownLimitTests {
    @Test func processThatNeverEndsIsEndedAfterTheLimit() async {
        await #expect(processExitsWith: .exitCode(75)) {
            ShutdownLimit.endProcess(after: .milliseconds(50))
            // Work that no cancellation reaches.
            while true {}
        }
    }

    @Test func programThatNeverEndsIsEndedAfterItsInput() async {
        await #expect(processExitsWith: .exitCode(75)) {
            try await Program.run(logger: Logger(label: "test"), until: EndedService(), limit: .milliseconds(50)) {
                while true {}
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT]) func signalEndsAProgramThatIsStillStarting(_ signal: Int32) async {
        await #expect(processExitsWith: .success) { [signal] in
            try await Program.run(logger: Logger(label: "test")) {
                kill(getpid(), signal)
                try await ServiceGroup.run([EndlessService()], logger: Logger(label: "test"))
            }
        }
    }
}
