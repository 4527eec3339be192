import ArgumentParser
import Testing
import WaypostSchema

@testable import AdminCommands

@Suite struct FaultsTextTests {
    @Test func faultsArePrintedAsATable() {
        let faults = [
            ScriptedFault(
                id: "one",
                fault: SendFault(
                    token: "c0ffee",
                    kind: .respond,
                    times: 3,
                    reason: .unregistered,
                    status: 410,
                    timestamp: Timestamp(milliseconds: 1_790_000_000_000)
                ),
                left: 2
            ),
            ScriptedFault(id: "two", fault: SendFault(token: "c0ffee", kind: .delay, milliseconds: 250)),
            ScriptedFault(id: "three", fault: SendFault(token: "00ff", kind: .goAway, frames: 2)),
            ScriptedFault(id: "four", fault: SendFault(token: "00ff", kind: .throttle, streams: 1)),
            ScriptedFault(id: "five", fault: SendFault(kind: .hang, probability: 0.25, seed: 7)),
            ScriptedFault(id: "six", fault: SendFault(kind: .reset, pattern: "--x")),
        ]
        #expect(
            FaultsListCommand.table(faults) == """
                Identifier  Token        Fault     With                                               Left
                ──────────  ─────        ─────     ────                                               ────
                one         c0ffee       respond   410, Unregistered, since 2026-09-21T14:13:20.000Z  2
                two         c0ffee       delay     250 ms                                             all
                three       00ff         goAway    2 frames                                           all
                four        00ff         throttle  1 streams                                          all
                five        all devices  hang      probability 0.25, seed 7                           all
                six         all devices  reset     pattern --x                                        all
                """
        )
        #expect(FaultsListCommand.table([]) == "There are no faults.")
    }

    @Test func invalidOptionsAreRefused() async throws {
        try await expectAsyncRefusal(of: FaultsAddCommand.self, ["c0ffee", "explode"], "throttle")
        try await expectAsyncRefusal(of: FaultsAddCommand.self, ["c0ffee"], "kind")
        try await expectAsyncRefusal(of: FaultsAddCommand.self, [], "--all-devices")
        try await expectAsyncRefusal(of: FaultsAddCommand.self, ["--all-devices"], "kind")
        try await expectAsyncRefusal(of: FaultsAddCommand.self, ["--all-devices", "explode"], "throttle")
        try await expectAsyncRefusal(of: FaultsAddCommand.self, ["--all-devices", "c0ffee", "hang"], "c0ffee")
        try expectRefusal(of: FaultsRemoveCommand.self, [], "--all")
        try expectRefusal(of: FaultsRemoveCommand.self, ["one", "--all"], "--all")
        try expectRefusal(of: FaultsRemoveCommand.self, [""], "--all")
    }
}
