/// The numbered definitions that parts of a picture refer to: clips, gradients and filters.
struct SVGDefinitions: Sendable {
    private var elements: [SVGElement] = []

    /// Adds a definition, or reuses an equal one.
    ///
    /// - Parameters:
    ///   - name: the name of the element.
    ///   - attributes: its attributes.
    ///   - children: its children.
    /// - Returns: a reference to the definition, for use in attributes.
    mutating func add(
        _ name: SVGElement.Name,
        _ attributes: KeyValuePairs<SVGAttribute, any CustomStringConvertible> = [:],
        children: [SVGElement]
    ) -> String {
        let element = SVGElement(name, attributes, children: children)
        let index = elements.firstIndex(of: element) ?? elements.count
        if index == elements.count { elements.append(element) }
        return "url(#\(Self.identifier(index)))"
    }

    /// Adds a clip and returns a reference to it.
    mutating func addClip(_ shape: SVGElement) -> String {
        add(.clipPath, [:], children: [shape])
    }

    /// Adds a vertical gradient and returns a reference to it.
    mutating func addGradient(of tones: AvatarTones) -> String {
        add(
            .linearGradient,
            [.x1: 0, .y1: 0, .x2: 0, .y2: 1],
            children: [
                SVGElement(.stop, [.offset: 0, .stopColor: tones.upper]),
                SVGElement(.stop, [.offset: 1, .stopColor: tones.lower]),
            ]
        )
    }

    /// The element with all definitions; `nil` if there are none.
    var element: SVGElement? {
        guard !elements.isEmpty else { return nil }
        return SVGElement(
            .defs,
            [:],
            children: elements.enumerated().map { index, element in element.adding(.id, Self.identifier(index)) }
        )
    }

    private static func identifier(_ index: Int) -> String {
        "part-\(index + 1)"
    }
}
