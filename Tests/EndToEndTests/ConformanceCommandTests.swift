import Foundation
import Testing
import WaypostTestSupport

/// The commands of `docs/conformance.md` with which a user can try a sentence.
///
/// Scenarios are left out, because `ScenarioTests` runs all of them.
@Suite(.timeLimit(.minutes(5))) struct ConformanceCommandTests {
    @Test func everyCommandPrintsWhatThePageSays() async throws {
        let demonstrations = try SentenceDemonstration.all().filter { $0.command != nil && $0.scenario == nil }
        #expect(demonstrations.count > 50)
        for (command, uses) in Dictionary(grouping: demonstrations, by: { $0.command ?? "" }) {
            let result = try await Program.run("sh", ["-c", Self.script(command)])
            let printed = result.output + result.errors
            for use in uses {
                #expect(result.status == (use.status ?? 0), "\(command)\n\(printed)")
                let output = use.output ?? ""
                #expect(printed.contains(output), "\(command)\n\(output) is not in \(printed)")
            }
        }
    }

    /// Returns a script that runs a command as a user does, in the root of the repository.
    private static func script(_ command: String) -> String {
        """
        PATH='\(BuiltPrograms.folder.path)':$PATH
        cd '\(Repository.root.path)' && \(command)
        """
    }
}
