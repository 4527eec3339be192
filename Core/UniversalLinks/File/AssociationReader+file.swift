internal import JSONScanning
internal import WaypostSchema

extension AssociationReader {
    private static let services = ["webcredentials", "appclips", "activitycontinuation"]

    /// Returns the association file in the document.
    ///
    /// - Throws: `AssociationFinding` if the document is not an object.
    consuming func file() throws(AssociationFinding) -> AssociationFile {
        var file = AssociationFile()
        guard let members = members(of: root, at: JSONKeyPath()) else {
            throw findings[findings.count - 1]
        }
        for member in members {
            switch member.name {
            case "applinks": readAppLinks(member, into: &file)
            case _ where Self.services.contains(member.name):
                file.otherServices[member.name] = apps(ofService: member)
            default: reportUnknown(member, supportedKeys: ["applinks"] + Self.services, among: members)
            }
        }
        if !file.hasAppLinks {
            report(
                .note,
                .noAppLinks,
                node: root,
                path: JSONKeyPath(),
                message: "there is no \"applinks\", so the file says nothing about links"
            )
        }
        file.placedDefaults = placedDefaults
        file.partlyReadRules = partlyReadRules
        file.variableNames = variableNames
        file.findings = findings.sortedByPosition
        return file
    }

    private mutating func apps(ofService service: Member) -> [String] {
        var apps: [String] = []
        let list = service.node.isArrayOfStrings ? service.node.json : service.node.listOfString
        let instead = list.map { #"{"apps":\#($0)}"# }
        for member in members(of: service.node, at: service.path, instead: instead) ?? [] where member.name == "apps" {
            apps = strings(of: member.node, at: member.path).map(\.value)
        }
        return apps
    }

    private mutating func readAppLinks(_ appLinks: Member, into file: inout AssociationFile) {
        guard let members = members(of: appLinks.node, at: appLinks.path) else { return }
        file.hasAppLinks = true
        for member in members {
            switch member.name {
            case "details": file.entries = entries(member)
            case "defaults":
                file.defaults = defaults(member.node, at: member.path)
            case "substitutionVariables": file.substitutionVariables = variables(member)
            case "apps": reportNonemptyApps(member)
            default:
                let supportedKeys = ["details", "defaults", "substitutionVariables", "apps"]
                reportUnknown(member, supportedKeys: supportedKeys, among: members)
            }
        }
        let usesPaths = file.entries.contains { $0.value.rules.contains { $0.value.form == .path } }
        if usesPaths && !members.contains(where: { $0.name == "apps" }) {
            let message = #""paths" is for systems before iOS 13, which require "apps": [] next to "details"; add it"#
            report(.warning, .missingApps, node: appLinks.node, path: appLinks.path, message: message)
        }
        if file.entries.isEmpty {
            let message = "there are no entries in \"details\", so no app is offered any link"
            report(.warning, .noDetails, node: appLinks.node, path: appLinks.path, message: message)
        }
    }

    /// Reports `apps` if it has elements; systems before iOS 13 require it to be empty.
    private mutating func reportNonemptyApps(_ member: Member) {
        guard let apps = elements(of: member.node, at: member.path, instead: "[]"), !apps.isEmpty else { return }
        let message = "\"apps\" must be empty for systems before iOS 13; later ones ignore it"
        report(.warning, .appsNotEmpty, node: member.node, path: member.path, message: message, instead: "[]")
    }

    private mutating func variables(
        _ variables: Member
    ) -> [String: AssociationFile.Placed<[AssociationFile.Placed<String>]>] {
        var values: [String: AssociationFile.Placed<[AssociationFile.Placed<String>]>] = [:]
        for member in members(of: variables.node, at: variables.path) ?? [] {
            let strings = strings(of: member.node, at: member.path, acceptsNumbers: true)
            values[member.name] = placed(strings, member.node, path: member.path)
            variableNames[member.name] = placed(member.name, member.nameNode, path: member.path)
        }
        return values
    }
}

extension [AssociationFinding] {
    /// The findings in the order of the file.
    var sortedByPosition: [AssociationFinding] {
        enumerated()
            .sorted {
                ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
            }
            .map(\.element)
    }
}
