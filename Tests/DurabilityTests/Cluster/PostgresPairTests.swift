import Foundation
import Testing
import WaypostTestSupport

@testable import ClusterTestSupport

extension DurabilityTests {
    @Suite(.timeLimit(.minutes(5))) struct PostgresPairTests {
        @Test func killedServerKeepsWhatItCommitted() async throws {
            let database = try await PostgresPair.start()
            let server = database.primary
            try await server.run("CREATE TABLE entry (number integer)")
            for number in 1...3 {
                try await server.run("INSERT INTO entry VALUES (\(number))")
                #expect(server.processes.count > 3)
                try await server.killAll()
                #expect(server.processes.isEmpty)
                try await server.start()
                #expect(try await server.run("SELECT count(*) FROM entry") == "\(number)")
            }
            await database.remove()
            #expect(server.processes.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: server.data))
        }

        @Test func frozenServerAnswersWhenItContinues() async throws {
            let database = try await PostgresPair.start()
            database.primary.freeze()
            // The kernel stops a process when it next looks at its signals.
            try await waitUntil("all processes are stopped") {
                let processes = database.primary.processes
                let states = processes.compactMap { identifier in
                    try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
                }
                return !processes.isEmpty && states.allSatisfy { $0.contains("State:\tT") }
            }
            async let answer = database.primary.run("SELECT 1")
            database.primary.resume()
            #expect(try await answer == "1")
            await database.remove()
        }

        @Test func promotedReplicaHasWhatThePrimaryConfirmed() async throws {
            let database = try await PostgresPair.start(withReplica: true)
            let replica = try #require(database.replica)
            try await database.primary.run("CREATE TABLE entry (number integer); INSERT INTO entry VALUES (1)")
            #expect(try await replica.run("SELECT pg_is_in_recovery()") == "t")
            try await database.failOver {
                let count = try await replica.run("SELECT count(*) FROM entry")
                #expect(count == "1")
                #expect(!database.primary.processes.isEmpty)
            }
            #expect(database.primary.processes.isEmpty)
            try await replica.run("INSERT INTO entry VALUES (2)")
            #expect(try await replica.run("SELECT count(*) FROM entry") == "2")
            await database.remove()
        }
    }
}
