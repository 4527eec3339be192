package import WaypostSchema

extension TokenPurpose {
    /// The app, the kind and the name, such as `com.example.tv, voip`.
    package var text: String {
        "\(app), \(kind.rawValue)" + (name.map { " \($0)" } ?? "")
    }
}
