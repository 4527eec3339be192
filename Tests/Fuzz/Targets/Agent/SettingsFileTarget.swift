import GatewaySettings
import SchemaFiles

extension FuzzTarget {
    /// A settings file of a gateway.
    static let settingsFiles = FuzzTarget(
        name: "settings-files",
        summary: "settings files of a gateway; every problem has a place in the file"
    ) { bytes in
        let places = FilePlaces(String(decoding: bytes, as: UTF8.self))
        for problem in problems(of: Array(bytes)) where problem.isInFile {
            promise(!problem.message.isEmpty, "a problem has a message", found: problem)
            promise(
                SourcePlace(settings: problem.place).map(places.contains) ?? false,
                "the place of a problem is in the file",
                found: problem
            )
        }
    }

    /// Returns the problems with a settings file.
    private static func problems(of file: [UInt8]) -> [SettingProblem] {
        FileText.withStandardInput(file) { () -> [SettingProblem] in
            do throws(SettingProblems) {
                _ = try GatewaySettings(flags: [:], file: FileText.standardInputName)
                return []
            } catch {
                promise(!error.problems.isEmpty, "settings that are refused have a problem")
                return error.problems
            }
        }
    }
}

extension SourcePlace {
    /// Reads the place of a problem; `nil` if it is not one in the file.
    fileprivate init?(settings place: String) {
        let parts = place.split(separator: ":")
        guard parts.count == 3, parts[0] == FileText.standardInputName, let line = Int(parts[1]),
            let column = Int(parts[2])
        else { return nil }
        self.init(file: String(parts[0]), line: line, column: column)
    }
}
