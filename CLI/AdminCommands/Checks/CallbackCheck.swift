internal import SceneCallbacks
internal import Yams

/// A check of the methods of an app, as its app file describes them.
enum CallbackCheck {
    /// Returns the mistakes that show without an event.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - root: the content of the app file.
    ///   - path: the file.
    /// - Returns: the findings, at the description of the app's methods.
    static func findings(in app: AppImplementation, at root: Node, of path: String) -> [CheckedFile.Finding] {
        let node = root["callbacks"] ?? root
        return app.findings.map { CheckedFile.Finding("\($0.message) [\($0.code.rawValue)]", at: node, of: path) }
    }
}
