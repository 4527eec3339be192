import Subprocess
import Testing
import WaypostTestSupport

/// An agent that starts without a gateway, or with something else at its address.
@Suite(.timeLimit(.minutes(5))) struct FirstConnectionTests {
    private static let listeners = ["--control", "127.0.0.1:0", "--apps", "127.0.0.1:0"]

    @Test func agentWithoutAGatewayEndsWithARemedy() async throws {
        let result = try await Program.run(
            "waypost-agent",
            Self.listeners + ["--gateway", "http://127.0.0.1:9", "--connect-timeout", "300ms"]
        )
        #expect(result.status == 69)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(result.errors)")
        #expect(lines.first?.contains("cannot reach http://127.0.0.1:9") == true)
        #expect(
            lines.first?.contains("start a gateway with 'waypost-gateway', or name another one with --gateway") == true
        )
        #expect(lines.last?.contains("no gateway answered at http://127.0.0.1:9 within 300 ms") == true)
    }

    @Test(arguments: [nil, "00"]) func agentWithoutTheTokenEndsAtOnce(_ token: String?) async throws {
        let data = try ScratchFolder()
        let ports = ["--service", "127.0.0.1:0", "--courier", "127.0.0.1:0", "--provider-plaintext", "127.0.0.1:0"]
        let options = ports + ["--data", data.path, "--authentication", "token"]
        _ = try await Program.whileRunning("waypost-gateway", options) { gateway in
            let service = try await gateway.value(after: "service")
            let result = try await Program.run(
                "waypost-agent",
                Self.listeners + ["--gateway", service],
                environment: ["WAYPOST_ADMIN_TOKEN": token]
            )
            #expect(result.status == 2)
            let hint = token == nil ? "needs its administrative token" : "has another administrative token"
            #expect(result.errors.contains(hint), "\(result.errors)")
        }
    }

    @Test func agentFindsTheTokenByTheReadyFileOfTheGateway() async throws {
        let data = try ScratchFolder()
        let ready = data.path(of: "gateway.json")
        let options =
            PipelineTests.freePorts + [
                "--store", "sqlite", "--data", data.path, "--authentication", "token", "--ready-file", ready,
            ]
        _ = try await Program.whileRunning("waypost-gateway", options) { gateway in
            _ = try await gateway.value(after: "store")
            let agent = try await Program.whileRunning(
                "waypost-agent",
                Self.listeners + ["--gateway-ready-file", ready]
            ) { agent in try await agent.value(after: "control") }
            #expect(agent.status == 0, "\(agent.lines)")
        }
    }

    @Test func addressOfTheCourierIsRecognized() async throws {
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let courier = try await gateway.value(after: "courier")
            let result = try await Program.run("waypost-agent", Self.listeners + ["--gateway", courier])
            #expect(result.status == 69)
            #expect(result.errors.contains("is not the service listener of a gateway"), "\(result.errors)")
        }
    }
}
