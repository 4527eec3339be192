internal import JSONScanning

/// A path through the keys of a document, such as `applinks.details[0].components[2]["/"]`.
///
/// Of a key that is absurdly long it has the start, as every value below has a path of its own.
struct PlacePath: Equatable {
    private(set) var text = ""

    /// Returns the path of a member.
    subscript(name: String) -> PlacePath {
        let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        let name = name.excerpt
        guard isPlain else { return PlacePath(text: "\(text)[\(name.printableJSON)]") }
        return PlacePath(text: text.isEmpty ? name : "\(text).\(name)")
    }

    /// Returns the path of an element.
    subscript(index: Int) -> PlacePath {
        PlacePath(text: "\(text)[\(index)]")
    }
}
