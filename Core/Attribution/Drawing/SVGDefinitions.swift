/// The numbered definitions that parts of a picture refer to: clips, gradients, filters and photographs.
struct SVGDefinitions: Sendable {
    private var elements: [SVGElement] = []

    /// The references to the photographs, by their base64; `nil` for an unusable photograph.
    private var photos: [String: String?] = [:]

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
        let identifier = reference(to: SVGElement(name, attributes, children: children))
        return "url(\(identifier))"
    }

    /// Adds a photograph that fills a circle, or reuses it, so that a picture has its bytes once.
    ///
    /// The longer sides of the photograph are cut off.
    ///
    /// - Parameter base64: the file.
    /// - Returns: a reference to the photograph, for use in `href`; `nil` if it is unusable.
    mutating func addPhoto(base64: String) -> String? {
        if let reference = photos[base64] { return reference }
        var reference: String?
        if let photo = try? ContactPhoto(base64: base64) { reference = add(photo) }
        photos.updateValue(reference, forKey: base64)
        return reference
    }

    private mutating func add(_ photo: ContactPhoto) -> String {
        let clip = addClip(SVGElement(.circle, [.cx: 50, .cy: 50, .r: 50]))
        let image = SVGElement(
            .image,
            [
                .width: 100, .height: 100, .preserveAspectRatio: "xMidYMid slice", .clipPath: clip,
                .href: photo.dataURL,
            ]
        )
        return reference(to: SVGElement(.symbol, [.viewBox: "0 0 100 100"], children: [image]))
    }

    private mutating func reference(to element: SVGElement) -> String {
        let index = elements.firstIndex(of: element) ?? elements.count
        if index == elements.count { elements.append(element) }
        return "#\(Self.identifier(index))"
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
