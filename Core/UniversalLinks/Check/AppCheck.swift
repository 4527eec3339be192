internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// A check of the apps that entries name.
enum AppCheck {
    static func findings(in file: AssociationFile) -> [AssociationFinding] {
        var findings: [AssociationFinding] = []
        var firstPlaces: [ApplicationIdentifier: String] = [:]
        for app in file.entries.flatMap(\.value.apps) {
            if let finding = finding(about: app) { findings.append(finding) }
            guard let firstPlace = firstPlaces.updateValue(firstPlaces[app.value] ?? app.path, forKey: app.value) else {
                continue
            }
            let message =
                "\(app.value.rawValue.safe(for: .excerpt)) is also at \(firstPlace); its first matching rule decides"
            findings.append(AssociationFinding(.note, .repeatedApp, at: app, message: message))
        }
        return findings
    }

    private static func finding(about app: AssociationFile.Placed<ApplicationIdentifier>) -> AssociationFinding? {
        let text = app.value.rawValue
        let example = "ABCDE12345.com.example.app"
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if text.contains("/") || text.contains(":") {
            let message = "'\(text.safe(for: .excerpt))' looks like a URL; write an application identifier"
            return AssociationFinding(.error, .badAppID, at: app, message: message, instead: example)
        }
        guard parts.count > 1, !parts.contains(where: \.isEmpty) else {
            let message =
                "'\(text.safe(for: .excerpt))' is not an application identifier; write a prefix, a period and a bundle identifier"
            return AssociationFinding(.error, .badAppID, at: app, message: message, instead: example)
        }
        // The prefix of a template, such as "<TEAM_ID>", is a placeholder, whatever its characters.
        let bundleIdentifier = text[parts[1].startIndex...]
        if let characters = unusableCharacters(in: bundleIdentifier) {
            let message =
                "the bundle identifier '\(String(bundleIdentifier).safe(for: .excerpt))' cannot have \(characters)"
            return AssociationFinding(
                .error,
                .badAppID,
                at: app,
                message: message,
                instead: "letters, digits, '-', '_' and '.'"
            )
        }
        let prefix = parts[0].utf8
        if prefix.count == 10, prefix.allSatisfy({ $0.isASCIIDigit || $0.isASCIILetter && $0 & 0x20 == 0 }) {
            return nil
        }
        if prefix.allSatisfy({ $0.isASCIILetter && $0 & 0x20 != 0 }) {
            let message = "'\(text.safe(for: .excerpt))' has no prefix: it is only a bundle identifier"
            return AssociationFinding(
                .error,
                .badAppID,
                at: app,
                message: message,
                instead: "ABCDE12345.\(text.safe(for: .excerpt))"
            )
        }
        let message =
            "the prefix '\(String(parts[0]).safe(for: .excerpt))' is not a team identifier, which has ten capital letters or digits"
        return AssociationFinding(
            .warning,
            .placeholderTeamID,
            at: app,
            message: message,
            instead: "the prefix of the signed app"
        )
    }

    /// Returns the first characters that a bundle identifier cannot have, as text; `nil` if there are none.
    private static func unusableCharacters(in text: Substring) -> String? {
        let characters = text.unicodeScalars.filter { scalar in
            !(UInt8(exactly: scalar.value).map { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) } ?? false)
        }
        let characterNames = characters.prefix(5).map(\.nameForMessages)
        return characterNames.isEmpty ? nil : characterNames.joined(separator: ", ")
    }
}
