internal import WaypostSchema

/// The header of the service listener that names a namespace.
enum NamespaceHeader {
    static func fields(_ namespace: Namespace?) -> [(String, String)] {
        namespace.map { [("x-waypost-namespace", $0.rawValue)] } ?? []
    }
}
