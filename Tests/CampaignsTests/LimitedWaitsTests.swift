import Foundation
import ProcessTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LimitedWaitsTests {
    @Test func processThatIsNeverReadyIsKilled() async throws {
        let process = try ChildProcess(["sh", "-c", "echo hello; exec sleep 600"])
        let result = await process.waitForLine(with: "is ready", within: .milliseconds(200))
        #expect(result == .killed)
        let status = await process.ended().status
        #expect(status == 128 + SIGKILL)
    }

    @Test func processThatEndsWithoutALineKeepsItsStatus() async throws {
        let process = try ChildProcess(["sh", "-c", "exit 7"])
        let result = await process.waitForLine(with: "is ready", within: .seconds(200))
        #expect(result == .ended)
        let status = await process.ended().status
        #expect(status == 7)
    }

    @Test func processThatWritesTheLineRunsOn() async throws {
        let process = try ChildProcess(["sh", "-c", "echo gateway is ready; exec sleep 600"])
        let result = await process.waitForLine(with: "is ready", within: .seconds(200))
        #expect(result == .found && !process.hasEnded)
        let end = await process.end(within: .milliseconds(200))
        #expect(end.wasKilled && end.ended?.status == 128 + SIGKILL)
    }
}
