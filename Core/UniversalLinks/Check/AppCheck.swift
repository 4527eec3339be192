internal import JSONScanning
internal import TextBasics
internal import WaypostSchema

/// A check of the apps that entries name.
enum AppCheck {
    static func findings(in file: AssociationFile) -> [AssociationFinding] {
        var findings: [AssociationFinding] = []
        var firstPlaces: [ApplicationIdentifier: String] = [:]
        for app in file.entries.flatMap(\.value.apps) {
            if let problem = IdentifierProblem(app.value.rawValue) {
                findings.append(
                    AssociationFinding(
                        problem.severity,
                        problem.severity == .error ? .badAppID : .placeholderTeamID,
                        at: app,
                        message: problem.message,
                        instead: problem.correction?.printableJSON
                    )
                )
            }
            guard let firstPlace = firstPlaces.updateValue(firstPlaces[app.value] ?? app.path, forKey: app.value) else {
                continue
            }
            let message =
                "\(app.value.rawValue.safe(for: .excerpt)) is also at \(firstPlace); its first matching rule decides"
            findings.append(AssociationFinding(.note, .repeatedApp, at: app, message: message))
        }
        return findings
    }

    /// Returns the finding that a file does not name an app, at the nearest identifier; `nil` if the file names it.
    static func finding(aboutMissing app: ApplicationIdentifier, in file: AssociationFile) -> AssociationFinding? {
        let apps = file.entries.flatMap(\.value.apps)
        let identifiers = apps.map(\.value)
        guard !identifiers.contains(app) else { return nil }
        let nearest = NearestIdentifier.nearest(to: app, among: identifiers)
        let message = NearestIdentifier.explanation(ofMissing: app, nearest: nearest)
        guard let nearest, let place = apps.first(where: { $0.value == nearest.identifier }) else {
            return AssociationFinding.wholeFile(.error, .appNotInFile, message: message)
        }
        // An identifier that some app may have is not replaced, because it may be another app.
        let isMisspelling = IdentifierProblem(place.value.rawValue)?.severity == .error
        let instead = isMisspelling ? app.rawValue.printableJSON : nil
        return AssociationFinding(.error, .appNotInFile, at: place, message: message, instead: instead)
    }
}
