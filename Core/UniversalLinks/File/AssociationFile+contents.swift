internal import JSONScanning

extension AssociationFile {
    /// Returns whether two files are the same JSON, apart from white space and spellings of strings.
    ///
    /// The order of members counts, because it can decide which app opens a link.
    package static func haveSameContents(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard let first = try? AssociationReader(first), let second = try? AssociationReader(second) else {
            return false
        }
        return first.root.hasSameValue(as: second.root)
    }
}

extension JSONNode {
    /// Returns whether a value is equal to another one, which may be at another offset.
    fileprivate func hasSameValue(as other: JSONNode) -> Bool {
        switch (value, other.value) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.number(let first), .number(let second)): first == second
        case (.string(let first), .string(let second)): first.hasSameBytes(as: second)
        case (.array(let first), .array(let second)):
            first.count == second.count && zip(first, second).allSatisfy { $0.hasSameValue(as: $1) }
        case (.object(let first), .object(let second)):
            first.count == second.count && zip(first, second).allSatisfy { $0.hasSameValue(as: $1) }
        default: false
        }
    }
}

extension JSONMember {
    fileprivate func hasSameValue(as other: JSONMember) -> Bool {
        name.hasSameBytes(as: other.name) && value.hasSameValue(as: other.value)
    }
}

extension String {
    /// Returns whether two strings have the same bytes; Swift's `==` ignores how letters are composed, URLs do not.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
