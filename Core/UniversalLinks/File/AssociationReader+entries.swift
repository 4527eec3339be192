internal import JSONScanning
internal import WaypostSchema

extension AssociationReader {
    /// Returns the entries: the elements of an array or, in the oldest form, of an object with a member for each app.
    mutating func entries(_ details: Member) -> [AssociationFile.Placed<AssociationFile.Entry>] {
        guard case .object = details.node.value else {
            return (elements(of: details.node, at: details.path) ?? []).compactMap { entry($0.node, at: $0.path) }
        }
        let message = #""details" as an object by app identifier is the oldest form; it is still read"#
        report(.note, .dictionaryDetails, node: details.node, path: details.path, message: message)
        return (members(of: details.node, at: details.path) ?? []).compactMap { member in
            let app = placed(ApplicationIdentifier(rawValue: member.name), member.nameNode, path: member.path)
            return entry(member.node, at: member.path, of: app)
        }
    }

    private static let entryKeys = ["appIDs", "appID", "components", "paths", "defaults"]

    private mutating func entry(
        _ node: JSONNode,
        at path: JSONKeyPath,
        of app: AssociationFile.Placed<ApplicationIdentifier>? = nil
    ) -> AssociationFile.Placed<AssociationFile.Entry>? {
        guard let members = members(of: node, at: path) else { return nil }
        let membersByName = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0) })
        for member in members where !Self.entryKeys.contains(member.name) && member.name != "comment" {
            reportUnknown(member, supportedKeys: Self.entryKeys, among: members)
        }
        let entry = AssociationFile.Entry(
            apps: app.map { [$0] } ?? apps(membersByName, node, path: path),
            rules: rules(membersByName, node, path: path),
            defaults: membersByName["defaults"].map { defaults($0.node, at: $0.path) } ?? LinkRule()
        )
        return placed(entry, node, path: path)
    }

    private mutating func apps(
        _ members: [String: Member],
        _ node: JSONNode,
        path: JSONKeyPath
    ) -> [AssociationFile.Placed<ApplicationIdentifier>] {
        var apps: [AssociationFile.Placed<String>] = []
        if let appIDsMember = members["appIDs"] {
            apps = strings(of: appIDsMember.node, at: appIDsMember.path)
            if let appIDMember = members["appID"] {
                let message = "\"appID\" is ignored because there is \"appIDs\"; keep one of them"
                report(
                    .warning,
                    .appIDIgnored,
                    node: appIDMember.node,
                    path: appIDMember.path,
                    message: message
                )
            }
        } else if let appIDMember = members["appID"],
            let app = string(appIDMember.node, at: appIDMember.path, instead: appIDMember.node.onlyString)
        {
            apps = [placed(app, appIDMember.node, path: appIDMember.path)]
        }
        if apps.isEmpty {
            report(
                .error,
                .noAppID,
                node: node,
                path: path,
                message: "the entry names no app, so its rules have no effect; name the apps in \"appIDs\""
            )
        }
        return apps.map { app in
            let identifier = ApplicationIdentifier(rawValue: app.value)
            return AssociationFile.Placed(value: identifier, path: app.path, line: app.line, column: app.column)
        }
    }

    private mutating func rules(
        _ members: [String: Member],
        _ node: JSONNode,
        path: JSONKeyPath
    ) -> [AssociationFile.Placed<LinkRule>] {
        reportMixedForms(members)
        guard let rulesMember = members["components"] ?? members["paths"] else {
            report(
                .warning,
                .noRules,
                node: node,
                path: path,
                message: "the entry has neither \"components\" nor \"paths\", so it matches nothing"
            )
            return []
        }
        let isPath = rulesMember.name == "paths"
        let list = isPath ? rulesMember.node.listOfString : rulesMember.node.listOfComponent
        guard let elements = elements(of: rulesMember.node, at: rulesMember.path, instead: list) else { return [] }
        if elements.isEmpty {
            report(
                .warning,
                .noRules,
                node: rulesMember.node,
                path: rulesMember.path,
                message: "there are no rules here, so nothing matches"
            )
        }
        var rules: [AssociationFile.Placed<LinkRule>] = []
        for element in elements {
            let findingCount = findings.count
            let rule = isPath ? pathRule(element.node, at: element.path) : component(element.node, at: element.path)
            guard let rule else { continue }
            let placedRule = placed(rule, element.node, path: element.path)
            if findings.count > findingCount { partlyReadRules.insert(placedRule.position) }
            rules.append(placedRule)
        }
        return rules
    }

    /// Reports an entry that mixes members from before iOS 13 with members since iOS 13.
    private mutating func reportMixedForms(_ members: [String: Member]) {
        guard let paths = members["paths"] else { return }
        if members["components"] != nil {
            let message = "systems since iOS 13 ignore \"paths\" if there are \"components\""
            report(.note, .pathsIgnored, node: paths.node, path: paths.path, message: message)
        } else if members["appIDs"] != nil, members["appID"] == nil {
            let message =
                #""paths" is for systems before iOS 13, which do not read "appIDs"; write "components", or "appID""#
            report(.warning, .appIDsWithPaths, node: paths.node, path: paths.path, message: message)
        }
    }
}
