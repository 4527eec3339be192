import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Everything that crosses the app API, from its routes: no type of it has a member for people, conversations or
/// messages.
@Suite struct AppSideTests {
    /// The types that say something about people, conversations or messages.
    private static let secretTypes: Set<String> = [
        "AttributionReport", "Contact", "ContactID", "Conversation", "ConversationID", "DeviceEffect", "DeviceEvent",
        "DisambiguationMenu", "FoundLink", "Handle", "JournalEntry", "JournalPage", "LinkExplanation", "Message",
        "MessageID", "MessageRecipient", "PresentedConversation", "ShelfReport",
    ]

    /// A type that crosses, and its members.
    ///
    /// If you add a member to such a type, decide here whether it reveals people, conversations or messages: a test
    /// cannot distinguish a plain string from a name.
    private struct Reviewed: Decodable {
        var type: String
        var members: [String]
    }

    private let routes: String
    private let document: String

    init() throws {
        routes = try String(
            contentsOf: Repository.root.appending(path: "Agent/DeviceAgent/Apps/AppAPI.swift"),
            encoding: .utf8
        )
        document = try String(contentsOf: Repository.root.appending(path: "docs/openapi-agent.yaml"), encoding: .utf8)
    }

    /// The operations of the app API in the document: the method, the path, and the lines of the operation.
    private var operations: [(name: String, text: String)] {
        var operations: [(name: String, text: String)] = []
        var path = ""
        for line in document.split(separator: "\n") {
            if let found = line.wholeMatch(of: /\ \ (\/[^ ]*):/) {
                path = String(found.output.1)
            } else if let found = line.wholeMatch(of: /\ \ \ \ (get|put|post|delete):/) {
                operations.append(("\(found.output.1) \(path)", ""))
            } else if line == "components:" {
                break
            } else if let last = operations.indices.last {
                operations[last].text += line + "\n"
            }
        }
        return operations.filter { $0.text.contains("- agent-apps\n") }
    }

    @Test func documentHasTheRoutesOfTheAPI() {
        let found = routes.matches(of: /router\.(get|put|post|delete)\("([^"]+)"\)/).map { match in
            "\(match.output.1) /\(match.output.2.replacing(/:(\w+)/) { "{\($0.output.1)}" })"
        }
        #expect(found.count > 20)
        #expect(found.sorted() == operations.map(\.name).sorted())
    }

    /// The names of the types that the operations refer to, and of all types in these.
    private func crossingTypes() throws -> Set<String> {
        let definitions = try Schema.current().definitions
        var types: Set<String> = []
        // The data of the event stream.
        var open = ["AppEvent"]
        for operation in operations {
            open += operation.text.matches(of: /\$defs\/(\w+)/).map { String($0.output.1) }
        }
        while let type = open.popLast() {
            guard types.insert(type).inserted else { continue }
            open += Self.references(in: try #require(definitions[type], "\(type)"))
        }
        return types
    }

    @Test(.proves("B62", "B64", "B65")) func noTypeOfTheAPILeadsToPeopleAndConversations() throws {
        let types = try crossingTypes()
        #expect(types.isSuperset(of: ["ConnectedScene", "SceneActivation", "UserActivity", "AppDescription"]))
        #expect(types.isDisjoint(with: Self.secretTypes))
    }

    @Test func secretTypesAreInTheSchema() throws {
        #expect(Self.secretTypes.isSubset(of: try Schema.current().definitions.keys))
    }

    @Test(.proves("B64", "B65")) func typesOfTheAPIHaveOnlyReviewedMembers() throws {
        let text = try String(contentsOf: Repository.vectors.appending(path: "app-side.jsonl"), encoding: .utf8)
        let reviewed = try text.split(separator: "\n").map {
            try JSONDecoder().decode(Reviewed.self, from: Data($0.utf8))
        }
        let definitions = try Schema.current().definitions
        let found = try crossingTypes().sorted().compactMap { type -> String? in
            let members = Self.members(of: try #require(definitions[type]))
            return members.isEmpty ? nil : "\(type): \(members.sorted())"
        }
        #expect(found == reviewed.map { "\($0.type): \($0.members)" })
    }

    /// Returns the names of the definitions that a part of the schema refers to.
    private static func references(in part: JSONValue) -> [String] {
        switch part {
        case .object(let members):
            members.flatMap { name, value in
                guard name == "$ref", let text = value.string else { return references(in: value) }
                return [String(text.trimmingPrefix("#/$defs/"))]
            }
        case .array(let elements): elements.flatMap(references)
        default: []
        }
    }

    /// Returns the names of the members in a part of the schema.
    private static func members(of part: JSONValue) -> Set<String> {
        switch part {
        case .object(let members):
            members.reduce(into: []) { names, member in
                guard member.key == "properties" else { return names.formUnion(Self.members(of: member.value)) }
                names.formUnion(member.value.members.keys)
                for value in member.value.members.values { names.formUnion(Self.members(of: value)) }
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(members(of: $1)) }
        default: []
        }
    }
}
