internal import JSONScanning
internal import LocalFiles

/// The limits of a YAML text, which are checked before a tree is composed from it.
///
/// A few lines of aliases to aliases can stand for more values than any memory holds. The composer compares keys with
/// all that is in them, so a key must be a text. Each event is looked at once: the size of a value with an anchor is
/// remembered, with its own aliases replaced.
struct YAMLLimits {
    /// The maximum number of keys and values.
    static let maximumValueCount = 100_000

    /// The maximum number of bytes of all texts.
    static let maximumTextSize = FileContents.maximumSize

    /// The size of a value.
    private struct Extent {
        /// The number of keys and values, the value itself included.
        var valueCount = 1

        /// The bytes of all texts.
        var textSize = 0

        /// The number of nested lists and objects, the value itself included.
        var depth = 0

        /// Whether the value is an object.
        var isObject = false
    }

    /// A list or an object whose end has not been reached.
    private struct OpenCollection {
        let anchor: String?
        var extent: Extent

        /// Whether the next value is a key.
        var expectsKey: Bool

        mutating func add(_ part: Extent) {
            extent.valueCount += part.valueCount
            extent.textSize += part.textSize
            extent.depth = max(extent.depth, part.depth + 1)
            if extent.isObject { expectsKey.toggle() }
        }
    }

    /// All values so far.
    ///
    /// The sums are within the limits, so adding one more value cannot overflow.
    private var total = Extent(valueCount: 0)

    private var openCollections: [OpenCollection] = []

    /// The values with anchors.
    private var extents: [String: Extent] = [:]

    /// Returns the first part of a text that exceeds a limit; `nil` if none does up to the end or to a syntax error.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - file: the path of its file.
    /// - Returns: the problem and its place.
    static func finding(in text: String, of file: String) -> FileFinding? {
        var text = text
        guard !text.isEmpty else { return nil }
        return text.withUTF8 { bytes -> FileFinding? in
            let events = YAMLEvents(bytes)
            var limits = Self()
            while let event = events.next() {
                if let message = limits.problem(with: event) {
                    let place = SourcePlace(file: file, line: event.line, column: event.column)
                    return FileFinding(place: place, message: message)
                }
            }
            return nil
        }
    }

    /// Adds the next event; returns the limit that it exceeds.
    mutating func problem(with event: YAMLEvents.Event) -> String? {
        switch event.kind {
        case .scalar:
            guard !event.beginsWithByteOrderMark else { return "a text must not begin with U+FEFF, a byte order mark" }
            let extent = Extent(textSize: event.textSize)
            if let anchor = event.anchor { extents[anchor] = extent }
            return add(extent)
        case .alias:
            // The composer reports an alias without an anchor.
            return add(event.anchor.flatMap { extents[$0] } ?? Extent())
        case .list, .object:
            let extent = Extent(depth: 1, isObject: event.kind == .object)
            let problem = count(extent)
            openCollections.append(
                OpenCollection(anchor: event.anchor, extent: extent, expectsKey: extent.isObject)
            )
            return problem
        case .end:
            guard let collection = openCollections.popLast() else { return nil }
            if let anchor = collection.anchor { extents[anchor] = collection.extent }
            addToCollection(collection.extent)
            return nil
        }
    }

    /// Adds a complete value; returns the limit that it exceeds.
    private mutating func add(_ extent: Extent) -> String? {
        let problem = count(extent)
        addToCollection(extent)
        return problem
    }

    private mutating func addToCollection(_ extent: Extent) {
        guard let index = openCollections.indices.last else { return }
        openCollections[index].add(extent)
    }

    /// Adds a value to the total; returns the limit that it exceeds.
    private mutating func count(_ extent: Extent) -> String? {
        if extent.depth > 0, openCollections.last?.expectsKey == true {
            return "a key is \(extent.isObject ? "an object" : "a list"); it must be a text"
        }
        guard openCollections.count + extent.depth <= JSONCursor.maximumDepth else {
            return "lists and objects are nested deeper than \(JSONCursor.maximumDepth)"
        }
        total.valueCount += extent.valueCount
        total.textSize += extent.textSize
        guard total.valueCount <= Self.maximumValueCount else {
            return "the file has more than \(Self.maximumValueCount) keys and values, aliases replaced"
        }
        guard total.textSize <= Self.maximumTextSize else {
            return "the file has more than \(Self.maximumTextSize >> 20) MiB of text, aliases replaced"
        }
        return nil
    }
}
