import Foundation
import ProcessTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

extension DurabilityTests {
    /// A disk that fails under a gateway: strace injects the errors of system calls.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: Strace.attaches, "strace is not installed or cannot attach"))
    struct FailingDiskTests {
        /// A system call to fail, and its error.
        struct Failure: Sendable, CustomTestStringConvertible {
            let call: String
            let error: String
            var testDescription: String { "\(call) fails with \(error)" }
        }

        static let failures = [
            Failure(call: "pwrite64", error: "EROFS"),
            Failure(call: "pwrite64", error: "EIO"),
            Failure(call: "pwrite64", error: "ENOSPC"),
            Failure(call: "fdatasync", error: "EIO"),
            Failure(call: "fdatasync", error: "ENOSPC"),
        ]

        @Test(arguments: failures) func gatewayConfirmsNothingThatTheDiskRefused(_ failure: Failure) async throws {
            try await GatewayCalls.withClient { http in
                let scratch = try ScratchFolder()
                let data = scratch.path(of: "data")
                let gateway = try await GatewayProcess.start(data: data, scratch)
                let calls = GatewayCalls(ready: gateway.ready, http: http)
                var scenario = try await DeviceScenario(calls)
                for _ in 0..<3 { #expect(try await scenario.send(5, calls).status == 200) }

                let tracer = try await Strace.attach(
                    to: gateway.process,
                    letting: failure.call,
                    failWith: failure.error,
                    writing: scratch.path(of: "trace")
                )
                for _ in 0..<3 {
                    let answer = try await scenario.send(5, calls)
                    #expect([500, 503, 507].contains(answer.status))
                    #expect(answer.errorCode != nil)
                }
                let provider = try await calls.push(to: scenario.device.token)
                #expect([500, 503].contains(provider.status), "\(String(decoding: provider.body, as: UTF8.self))")
                tracer.send(SIGTERM)
                _ = await tracer.ended()
                // The gateway may recover or not. Whatever it answers with 200 now must be kept, too.
                _ = try await scenario.send(5, calls)
                gateway.process.send(SIGKILL)
                _ = await gateway.process.ended()

                let next = try await GatewayProcess.start(data: data, scratch)
                let after = GatewayCalls(ready: next.ready, http: http)
                #expect(try await scenario.send(1, after).status == 200)
                let names = try await scenario.read(after)
                #expect(names.isSuperset(of: scenario.answered) && names.isDisjoint(with: scenario.refused))
                #expect(await next.stop().status == 0)
            }
        }
    }
}

extension Strace {
    /// Whether strace can attach to a process that it did not start.
    static let attaches: Bool = {
        // The tracer prints that it has attached, or ends without printing that.
        let script = """
            sleep 60 & traced=$!
            strace -o /dev/null -e trace=none -p $traced 2>&1 | {
              grep --max-count 1 --quiet attached; found=$?; kill -KILL $traced; exit $found
            }
            """
        return ExternalCommand.succeeds(["bash", "-c", script])
    }()

    /// Attaches to a process and makes one of its system calls fail from then on.
    ///
    /// Returns when the tracer has attached.
    static func attach(
        to process: ChildProcess,
        letting call: String,
        failWith error: String,
        writing file: String
    ) async throws -> ChildProcess {
        let command = ["strace", "-f", "-o", file, "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error)"]
        let tracer = try ChildProcess(
            ["sh", "-c", "exec \"$@\" 2>&1", "sh"] + command + ["-p", "\(process.identifier)"]
        )
        for await line in tracer.lines where line.contains("attached") { return tracer }
        throw NotAttached(ended: await tracer.ended())
    }

    /// The tracer could not attach.
    struct NotAttached: Error {
        let ended: ChildProcess.Ended
    }
}
