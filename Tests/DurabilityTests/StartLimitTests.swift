import Foundation
import ProcessTestSupport
import Testing

extension DurabilityTests {
    /// Programs that never become ready.
    @Suite(.timeLimit(.minutes(5))) struct StartLimitTests {
        @Test func gatewayThatIsNotReadyInTimeIsKilled() async throws {
            let never = await #expect(throws: GatewayProcess.NeverReady.self) {
                let command = ["sh", "-c", "echo is late; exec sleep 600"]
                _ = try await GatewayProcess.start(command, readyFile: "", within: .milliseconds(300))
            }
            #expect(never?.limit == .milliseconds(300))
            #expect(never?.ended.status == 128 + SIGKILL)
            #expect(never.map { "\($0)" }?.contains("was killed") == true)
        }

        @Test func gatewayThatEndsAtItsStartIsNotKilled() async throws {
            let never = await #expect(throws: GatewayProcess.NeverReady.self) {
                _ = try await GatewayProcess.start(["sh", "-c", "echo no >&2; exit 3"], readyFile: "")
            }
            #expect(never?.limit == nil)
            #expect(never?.ended.status == 3)
            #expect(never?.ended.errors == "no\n")
        }
    }
}
