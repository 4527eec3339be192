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
        let instead = node.pathOfComponent
        guard let text = string(node, at: path, consequence: Self.ruleIsIgnored, instead: instead) else { return nil }
        return LinkRule(path: text, form: .path)
    }

    /// Returns an element of `components`, or `nil` with a finding if it cannot be used.
    ///
    /// The documentation does not say what a system does with a value of another type; here, only that rule is ignored.
    mutating func component(_ node: JSONNode, at path: JSONKeyPath) -> LinkRule? {
        guard let members = members(of: node, at: path, instead: node.componentOfPath) else { return nil }
        let (rule, isUsable) = rule(members, consequence: Self.ruleIsIgnored)
        return isUsable ? rule : nil
    }

    /// Returns the valid defaults for members that rules do not have.
    mutating func defaults(_ node: JSONNode, at path: JSONKeyPath) -> LinkRule {
        let findingCount = findings.count
        let defaults = rule(members(of: node, at: path) ?? [], consequence: "; it is ignored").rule
        let placedRule = placed(defaults, node, path: path)
        if findings.count > findingCount { partlyReadRules.insert(placedRule.position) }
        placedDefaults.append(placedRule)
        return defaults
    }

    private mutating func rule(_ members: [Member], consequence: String) -> (rule: LinkRule, isUsable: Bool) {
        var rule = LinkRule()
        var isUsable = true
        for member in members {
            let (node, path) = (member.node, member.path)
            switch member.name {
            case "/":
                isUsable = setMember(&rule.path, to: pattern(node, at: path, consequence: consequence)) && isUsable
            case "?": isUsable = readQuery(member, into: &rule, consequence: consequence) && isUsable
            case "#":
                isUsable = setMember(&rule.fragment, to: pattern(node, at: path, consequence: consequence)) && isUsable
            case "exclude":
                isUsable = setMember(&rule.exclude, to: bool(member, consequence: consequence)) && isUsable
            case "caseSensitive":
                isUsable = setMember(&rule.caseSensitive, to: bool(member, consequence: consequence)) && isUsable
            case "percentEncoded":
                isUsable = setMember(&rule.percentEncoded, to: bool(member, consequence: consequence)) && isUsable
            case "comment": rule.comment = comment(member)
            default: reportUnknown(member, supportedKeys: Self.componentKeys, among: members)
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

    private mutating func pattern(_ node: JSONNode, at path: JSONKeyPath, consequence: String) -> String? {
        string(node, at: path, consequence: consequence, instead: node.patternOfOtherType)
    }

    private mutating func bool(_ member: Member, consequence: String) -> Bool? {
        guard case .bool(let value) = member.node.value else {
            reportWrongType(
                member.node,
                member.path,
                mustBe: "true or false",
                consequence: consequence,
                instead: member.node.boolOfOtherType
            )
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
            reportWrongType(
                query.node,
                query.path,
                mustBe: "a string or an object",
                consequence: consequence,
                instead: query.node.onlyString
            )
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
                let instead = member.node.patternOfOtherType
                let advice =
                    instead == nil ? #"; write "*" for any value, "?*" for a value that is not empty"# : ""
                let message = "this is \(member.node.kind), but must be a string; all of \"?\" here is ignored\(advice)"
                report(
                    .error,
                    .nonStringQueryItem,
                    node: member.node,
                    path: member.path,
                    message: message,
                    instead: instead
                )
                continue
            }
            items.append(LinkRule.Item(name: member.name, pattern: pattern))
        }
        return isUsable ? items : nil
    }
}

extension JSONNode {
    /// Whether the value is an array that has only strings.
    var isArrayOfStrings: Bool {
        guard case .array(let elements) = value else { return false }
        return elements.allSatisfy { if case .string = $0.value { true } else { false } }
    }

    /// A list of the value alone as JSON if the value is an element of `components`, or a path; otherwise `nil`.
    var listOfComponent: String? {
        if let component = componentOfPath { return "[\(component)]" }
        guard case .object = value else { return nil }
        return "[\(json)]"
    }

    /// The element of `components` as JSON that a string among them was probably meant as; otherwise `nil`.
    var componentOfPath: String? {
        guard case .string(let text) = value else { return nil }
        return LinkRule(path: text, form: .component).description
    }

    /// The element of `paths` as JSON that an object with only a path was probably meant as; otherwise `nil`.
    var pathOfComponent: String? {
        guard case .object(let members) = value else { return onlyString }
        var path: String?
        var isExclusion = false
        for member in members {
            switch (member.name, member.value.value) {
            case ("/", .string(let text)): path = text
            case ("exclude", .bool(let value)): isExclusion = value
            case ("comment", .string): break
            default: return nil
            }
        }
        guard let path else { return nil }
        return ((isExclusion ? LinkRule.exclusionPrefix : "") + path).printableJSON
    }
}

extension LinkRule {
    /// Creates a rule from an element of `paths`, which excludes if it starts with `NOT `.
    fileprivate init(path: String, form: Form) {
        self.init(form: form)
        self.path = path
        if path.hasPrefix(Self.exclusionPrefix) {
            self.path = String(path.dropFirst(Self.exclusionPrefix.count))
            exclude = true
        }
    }
}
