internal import DeviceFiles
internal import SceneCallbacks
internal import SchemaFiles
internal import WaypostSchema
internal import Yams

/// A check of the methods of an app, as its app file or device file describes them.
enum CallbackCheck {
    /// Returns the mistakes of all apps of a device file that show without an event.
    static func findings(in file: DeviceFile) -> [CheckedFile.Finding] {
        let root = file.content.text.root
        return zip(file.description.apps, root["apps"]?.sequence.map(Array.init) ?? []).flatMap { app, node in
            findings(in: app, at: node, of: file.content.text.file)
        }
    }

    /// Returns the mistakes that show without an event.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - node: the app in the file.
    ///   - path: the file.
    /// - Returns: the findings, at the description of the app's methods or at its declarations.
    static func findings(in app: AppDescription, at node: Node, of path: String) -> [CheckedFile.Finding] {
        app.callbackFindings.map { finding in
            let isAboutDeclarations = [MistakeCode.noDeclarationMatches, .windowPerEvent].contains(finding.code)
            let place = node[isAboutDeclarations ? "declarations" : "callbacks"] ?? node
            return CheckedFile.Finding("\(finding.message) [\(finding.code.rawValue)]", at: place, of: path)
        }
    }
}
