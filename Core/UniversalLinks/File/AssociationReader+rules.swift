internal import JSONScanning
internal import WaypostSchema

extension AssociationReader {
    /// Returns a rule of either form, or `nil` with a finding if it cannot be used.
    mutating func rule(_ node: JSONNode, at path: JSONKeyPath) -> LinkRule? {
        guard case .string = node.value else { return component(node, at: path) }
        return pathRule(node, at: path)
    }

    /// Returns an element of `paths`, or `nil` with a finding if it cannot be used.
    mutating func pathRule(_ node: JSONNode, at path: JSONKeyPath) -> LinkRule? {
        guard let text = string(node, at: path, consequence: Self.ruleIsIgnored) else { return nil }
        var rule = LinkRule(form: .path)
        rule.path = text
        if text.hasPrefix(LinkRule.exclusionPrefix) {
            rule.path = String(text.dropFirst(LinkRule.exclusionPrefix.count))
            rule.exclude = true
        }
        return rule
    }

    /// Returns an element of `components`, or `nil` with a finding if it cannot be used.
    ///
    /// The documentation does not say what a system does with a value of another type; here, only that rule is ignored.
    mutating func component(_ node: JSONNode, at path: JSONKeyPath) -> LinkRule? {
        guard let members = members(of: node, at: path) else { return nil }
        let (rule, isUsable) = rule(members, consequence: Self.ruleIsIgnored)
        return isUsable ? rule : nil
    }

    /// Returns the valid defaults for members that rules do not have.
    mutating func defaults(_ node: JSONNode, at path: JSONKeyPath) -> LinkRule {
        let defaults = rule(members(of: node, at: path) ?? [], consequence: "; it is ignored").rule
        placedDefaults.append(placed(defaults, node, path: path))
        return defaults
    }

    private mutating func rule(_ members: [Member], consequence: String) -> (rule: LinkRule, isUsable: Bool) {
        var rule = LinkRule()
        var isUsable = true
        for member in members {
            let (node, path) = (member.node, member.path)
            switch member.name {
            case "/":
                isUsable = setMember(&rule.path, to: string(node, at: path, consequence: consequence)) && isUsable
            case "?": isUsable = readQuery(member, into: &rule, consequence: consequence) && isUsable
            case "#":
                isUsable = setMember(&rule.fragment, to: string(node, at: path, consequence: consequence)) && isUsable
            case "exclude":
                isUsable = setMember(&rule.exclude, to: bool(member, consequence: consequence)) && isUsable
            case "caseSensitive":
                isUsable = setMember(&rule.caseSensitive, to: bool(member, consequence: consequence)) && isUsable
            case "percentEncoded":
                isUsable = setMember(&rule.percentEncoded, to: bool(member, consequence: consequence)) && isUsable
            case "comment": rule.comment = comment(member)
            default: reportUnknown(member, knownKeys: Self.componentKeys)
            }
        }
        return (rule, isUsable)
    }

    private static let componentKeys = ["/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded"]
    private static let ruleIsIgnored = "; the rule is ignored"

    /// Returns a comment, which no system reads.
    private mutating func comment(_ member: Member) -> String? {
        if case .string(let text) = member.node.value { return text }
        report(
            .note,
            .wrongType,
            node: member.node,
            path: member.path,
            message: "this is \(member.node.kind); a comment should be a string"
        )
        return nil
    }

    /// Sets a member of a rule, and returns whether there is a value.
    private func setMember<Value>(_ member: inout Value?, to value: Value?) -> Bool {
        member = value
        return value != nil
    }

    private mutating func bool(_ member: Member, consequence: String) -> Bool? {
        guard case .bool(let value) = member.node.value else {
            reportWrongType(member.node, member.path, mustBe: "true or false", consequence: consequence)
            return nil
        }
        return value
    }

    private mutating func readQuery(_ query: Member, into rule: inout LinkRule, consequence: String) -> Bool {
        switch query.node.value {
        case .string(let pattern):
            rule.query = .whole(pattern)
        case .object:
            rule.query = items(of: query).map(LinkRule.Query.items)
        default:
            reportWrongType(query.node, query.path, mustBe: "a string or an object", consequence: consequence)
            return false
        }
        return true
    }

    /// Returns the patterns for the query items, or `nil` with a finding if a pattern is not a string, because a system
    /// then ignores all of them.
    private mutating func items(of query: Member) -> [LinkRule.Item]? {
        var items: [LinkRule.Item] = []
        var isUsable = true
        for member in members(of: query.node, at: query.path) ?? [] {
            guard case .string(let pattern) = member.node.value else {
                isUsable = false
                let message = "this is \(member.node.kind), but must be a string; all of \"?\" here is ignored"
                report(
                    .error,
                    .nonStringQueryItem,
                    node: member.node,
                    path: member.path,
                    message: message,
                    instead: #""*" for any value, "?*" for a value that is not empty"#
                )
                continue
            }
            items.append(LinkRule.Item(name: member.name, pattern: pattern))
        }
        return isUsable ? items : nil
    }
}
