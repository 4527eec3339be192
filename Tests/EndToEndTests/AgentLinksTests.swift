import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// An agent whose device file has development sources for its domains.
@Suite(.timeLimit(.minutes(5))) struct AgentLinksTests {
    private static func deviceFile(development: String) -> String {
        """
        name: iPad
        apps:
          - bundleIdentifier: com.example.clowntown
            applicationIdentifier: \(LinkFiles.clownTown)
            associatedDomains:
              - applinks:clowntown.example?mode=developer
              - applinks:balloons.example?mode=developer
            scenes: []
        associatedDomainsDevelopment:
          \(development)
        """
    }

    @Test func relativePathsAreRelativeToTheDeviceFile() async throws {
        let files = try LinkFiles()
        let text = Self.deviceFile(
            development: """
                clowntown.example: ./apple-app-site-association
                  balloons.example: http://127.0.0.1:1
                """
        )
        let device = try files.write(text.utf8, to: "ipad.yaml")
        let ports = PipelineTests.freePorts
        _ = try await Program.whileRunning("waypost-gateway", ports) { gateway in
            let service = try await gateway.value(after: "service")
            let courier = try await gateway.value(after: "courier")
            let urls = ["--gateway", service, "--courier", courier]
            _ = try await Program.whileRunning("waypost-agent", ["--device", device] + urls) { agent in
                let control = try await agent.value(after: "control")
                let found: [AssociationFileStatus] = try await Self.get("\(control)/v1/devices/iPad/associations")
                #expect(found.map(\.failure?.code) == [.unreachable, nil])
                #expect(found.map(\.source).last == files.association)
                let question = "explain?url=https%3A%2F%2Fclowntown.example%2Fclowns%2Fcrusty"
                let decisions: [LinkDecision] = try await Self.get("\(control)/v1/devices/iPad/\(question)")
                #expect(decisions.map(\.matched) == [true])
            }
        }
    }

    private static let events = [
        #"{"type":"contactChanged","contact":{"id":"enrique","givenName":"Enrique","handles":["+14085550101"]}}"#,
        #"""
        {"type":"messageReceived","message":{"id":"m1","conversation":"c1","sender":"+14085550101",\#
        "text":"You have to see https://clowntown.example/clowns/crusty"}}
        """#,
        #"{"type":"linkPinned","message":"m1"}"#,
    ]

    @Test(.proves("B7")) func searchOfAnAgentHasTheAnswerOfTheSearchInItsJournal() async throws {
        let files = try LinkFiles()
        let text = Self.deviceFile(development: "clowntown.example: ./apple-app-site-association")
            .replacing("    scenes: []", with: "    sharedWithYou: true\n    scenes: []")
        let device = try files.write(text.utf8, to: "ipad.yaml")
        let data = files.folder.appending(path: "data").path
        _ = try await Program.whileRunning("waypost-gateway", PipelineTests.freePorts) { gateway in
            let options = ["--device", device, "--data", data, "--gateway", try await gateway.value(after: "service")]
            _ = try await Program.whileRunning("waypost-agent", options) { agent in
                let base = "\(try await agent.value(after: "control"))/v1/devices/iPad"
                for event in Self.events {
                    let posted = try await Program.run(
                        "curl",
                        ["--silent", "--fail", "--data", event, "\(base)/events"]
                    )
                    #expect(posted.status == 0)
                }
                for (query, count) in [("have%20ENRIQUE", 1), ("", 1), ("balloons", 0)] {
                    let found: [FoundLink] = try await Self.get("\(base)/search?q=\(query)")
                    let words = query.replacing("%20", with: " ")
                    let offline = try await Program.run(
                        "waypost",
                        ["device", "search", words, "--journal", "\(data)/journal.jsonl", "--format", "json"]
                    )
                    let answer = try JSONDecoder().decode([FoundLink].self, from: Data(offline.output.utf8))
                    #expect(found.count == count && found == answer, "\(query): \(offline.output)")
                }
            }
        }
    }

    private static func get<Value: Decodable>(_ url: String) async throws -> Value {
        let answer = try await Program.run("curl", ["--silent", "--show-error", "--fail", "--max-time", "60", url])
        return try JSONDecoder().decode(Value.self, from: Data(answer.output.utf8))
    }

    @Test(arguments: [
        ("clowntown.example: http://clowntown.example", "http is only for this machine"),
        ("clowntown.example: ftp://127.0.0.1", "it is not a URL such as"),
        ("clowntown.example: [a]", "must be"),
    ])
    func invalidDevelopmentSourceIsReported(_ development: String, _ reason: String) async throws {
        let files = try LinkFiles()
        let device = try files.write(Self.deviceFile(development: development).utf8, to: "ipad.yaml")
        let result = try await Program.run("waypost-agent", ["--device", device])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("waypost-agent: \(device):10:22: "), "\(result.errors)")
        #expect(result.errors.contains("clowntown.example"), "\(result.errors)")
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test func missingApplicationIdentifierIsReported() async throws {
        let files = try LinkFiles()
        let text = Self.deviceFile(development: "{}").replacing("applicationIdentifier", with: "# ")
        let device = try files.write(text.utf8, to: "ipad.yaml")
        let result = try await Program.run("waypost-agent", ["--device", device])
        #expect(result.status == 2)
        #expect(result.errors.contains("associatedDomains require an applicationIdentifier"), "\(result.errors)")
    }
}
