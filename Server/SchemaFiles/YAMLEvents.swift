internal import CYaml

/// The events of the first document in a YAML text, up to its end or its first error.
///
/// Yams composes a tree at once, and has no interface for the events from which it does that. These come from the same
/// parser, so both read a text in the same way.
final class YAMLEvents {
    /// A part of a document.
    struct Event {
        /// The kinds of events.
        enum Kind {
            /// The start of a list or of an object, and the end of either.
            case list, object, end

            case scalar, alias
        }

        /// The kind.
        let kind: Kind

        /// The anchor of the value, or the one to which an alias refers.
        let anchor: String?

        /// The number of bytes of a scalar.
        let textSize: Int

        /// Whether a scalar begins with U+FEFF, which Yams would drop.
        let beginsWithByteOrderMark: Bool

        /// The line, from 1.
        let line: Int

        /// The column, from 1, in Unicode scalars.
        let column: Int

        fileprivate init(
            _ kind: Kind,
            anchor: UnsafeMutablePointer<yaml_char_t>? = nil,
            text: UnsafeBufferPointer<yaml_char_t> = .init(start: nil, count: 0),
            at mark: yaml_mark_t
        ) {
            self.kind = kind
            self.anchor = anchor.map { String(cString: $0) }
            textSize = text.count
            beginsWithByteOrderMark = text.starts(with: [0xEF, 0xBB, 0xBF])
            (line, column) = (Int(mark.line) + 1, Int(mark.column) + 1)
        }
    }

    /// The parser; it contains a pointer to itself, so it needs an address of its own.
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// Starts to read a text in UTF-8, which must outlive this object.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Returns the next event; `nil` at the end and at an error.
    func next() -> Event? {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            let (data, mark) = (event.data, event.start_mark)
            switch event.type {
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: continue
            case YAML_SCALAR_EVENT:
                let text = UnsafeBufferPointer(start: data.scalar.value, count: Int(data.scalar.length))
                return Event(.scalar, anchor: data.scalar.anchor, text: text, at: mark)
            case YAML_ALIAS_EVENT: return Event(.alias, anchor: data.alias.anchor, at: mark)
            case YAML_SEQUENCE_START_EVENT: return Event(.list, anchor: data.sequence_start.anchor, at: mark)
            case YAML_MAPPING_START_EVENT: return Event(.object, anchor: data.mapping_start.anchor, at: mark)
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return Event(.end, at: mark)
            default: return nil
            }
        }
    }
}
