internal import JSONScanning
internal import TextBasics

/// A path of keys in a document, such as `applinks.details[0].components[2]["/"]`.
///
/// A very long key is truncated, because every value below it has a path of its own.
struct JSONKeyPath: Equatable {
    private(set) var string = ""

    /// Returns the path of a member.
    subscript(name: String) -> JSONKeyPath {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0.isASCIIAlphanumeric }
        let name = name.safe(for: .excerpt)
        guard isPlain else { return JSONKeyPath(string: "\(string)[\(name.printableJSON)]") }
        return JSONKeyPath(string: string.isEmpty ? name : "\(string).\(name)")
    }

    /// Returns the path of an element.
    subscript(index: Int) -> JSONKeyPath {
        JSONKeyPath(string: "\(string)[\(index)]")
    }
}
