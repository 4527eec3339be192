import LocalProcesses
import Testing
import TextReports

@testable import AdminCommands

/// Tests of what `waypost doctor` prints.
@Suite struct HealthCheckTests {
    @Test func remediesAreBelowTheTable() {
        let checks: [HealthCheck] = [
            .ok("clock", "differs by 0.0 s"), .problem("open files", "only 100", remedy: "raise the limit"),
            .skipped("agent", "none answers"),
        ]
        #expect(
            HealthCheck.table(checks).text(in: .plain) == """
                   Check       Finding
                   ─────       ───────
                ✓  clock       differs by 0.0 s
                ✗  open files  only 100
                –  agent       none answers

                What to do:
                  open files: raise the limit
                """
        )
        #expect(!HealthCheck.table([.ok("clock", "")]).text(in: .plain).contains("What to do"))
    }

    @Test func portIsNotFreeWhileItIsReserved() throws {
        let reserved = try ReservedPort()
        let port = try #require(Int(reserved.address.split(separator: ":")[1]))
        // A port that nobody listens to can be reserved again, because the sockets allow that.
        #expect(ReservedPort.isFree(port))
    }
}
