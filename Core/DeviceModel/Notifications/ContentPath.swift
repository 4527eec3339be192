internal import JSONScanning
internal import TextBasics

/// The place of a value in the content of a Live Activity, such as `content-state.laps[2]`.
struct ContentPath: Equatable {
    /// A step into an object or a list.
    private enum Step: Equatable {
        case member(String)
        case element(Int)
    }

    /// The key of `aps` with the content.
    let key: String

    private var steps: [Step] = []

    /// Creates the place of the whole content of a key.
    init(_ key: String) {
        self.key = key
    }

    /// Returns the place of a member of this object.
    func member(_ name: String) -> Self {
        appending(.member(name))
    }

    /// Returns the place of an element of this list.
    func element(_ index: Int) -> Self {
        appending(.element(index))
    }

    private func appending(_ step: Step) -> Self {
        var path = self
        path.steps.append(step)
        return path
    }

    /// Returns the offset of the value in the text of the content; that of the object if it is a missing member.
    ///
    /// - Parameters:
    ///   - content: the whole content.
    ///   - isOfName: whether it is the offset of the name if the value is a member.
    /// - Returns: the offset.
    func offset(in content: JSONNode, ofName isOfName: Bool = false) -> Int {
        var (node, offset) = (content, content.offset)
        for step in steps {
            switch (step, node.value) {
            case (.member(let name), .object(let members)):
                guard let member = members.first(where: { $0.name == name }) else { return node.offset }
                node = member.value
                offset = isOfName ? member.offset : node.offset
            case (.element(let index), .array(let elements)):
                guard elements.indices.contains(index) else { return node.offset }
                node = elements[index]
                offset = node.offset
            default: return node.offset
            }
        }
        return offset
    }
}

extension ContentPath: CustomStringConvertible {
    var description: String {
        steps.reduce(key) { text, step in
            switch step {
            case .member(let name): "\(text).\(name.safe(for: .excerpt))"
            case .element(let index): "\(text)[\(index)]"
            }
        }
    }
}
