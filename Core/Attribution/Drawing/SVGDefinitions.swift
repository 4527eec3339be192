/// What parts of a picture refer to by number: clips, gradients, filters.
struct SVGDefinitions: Sendable {
    private var elements: [SVGElement] = []

    /// Keeps a definition; one that is there already is used again.
    ///
    /// - Parameters:
    ///   - name: the name of the element.
    ///   - attributes: its attributes.
    ///   - children: what is in it.
    /// - Returns: a reference to it, as attributes hold it.
    mutating func add(
        _ name: SVGElement.Name,
        _ attributes: KeyValuePairs<SVGAttribute, any CustomStringConvertible> = [:],
        _ children: [SVGElement]
    ) -> String {
        let element = SVGElement(name, attributes, children)
        let index = elements.firstIndex(of: element) ?? elements.count
        if index == elements.count { elements.append(element) }
        return "url(#\(Self.identifier(index)))"
    }

    /// Keeps a clip and returns a reference to it.
    mutating func clip(_ shape: SVGElement) -> String {
        add(.clipPath, [:], [shape])
    }

    /// Keeps a gradient from the top to the bottom and returns a reference to it.
    mutating func gradient(of tones: AvatarTones) -> String {
        add(
            .linearGradient,
            [.x1: 0, .y1: 0, .x2: 0, .y2: 1],
            [
                SVGElement(.stop, [.offset: 0, .stopColor: tones.upper]),
                SVGElement(.stop, [.offset: 1, .stopColor: tones.lower]),
            ]
        )
    }

    /// The element with all of them; `nil` where there are none.
    var element: SVGElement? {
        guard !elements.isEmpty else { return nil }
        return SVGElement(
            .defs,
            [:],
            elements.enumerated().map { index, element in element.adding(.id, Self.identifier(index)) }
        )
    }

    private static func identifier(_ index: Int) -> String {
        "part-\(index + 1)"
    }
}
