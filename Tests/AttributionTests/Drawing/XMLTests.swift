import Testing
import WaypostTestSupport

@testable import Attribution

@Suite struct XMLTests {
    @Test(arguments: [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("]]>", "]]&gt;"),
        ("\"'", "&quot;&apos;"),
        ("\t\r\n", "&#9;&#13;&#10;"),
        ("\u{0}\u{1}\u{1B}\u{1F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"),
        ("\u{301}é👩‍👧", "\u{301}é👩‍👧"),
    ])
    func markupIsEscapedAndInvalidCharactersAreReplaced(_ text: String, _ escaped: String) {
        #expect(Array(text.escapedForXML.unicodeScalars) == Array(escaped.unicodeScalars))
    }

    @Test func elementsAreWrittenOnePerLineWithTheirAttributesInOrder() {
        let inner = SVGElement(.text, [.y: Points(rawValue: 1_250), .x: 3, .fill: "a\"b"], text: "<&>")
        var output = ""
        SVGElement(.g, [:], children: [inner, SVGElement(.circle, [.r: Points(2)])]).write(to: &output)
        #expect(
            output == """
                <g>
                  <text y="12.5" x="3" fill="a&quot;b">&lt;&amp;&gt;</text>
                  <circle r="2"/>
                </g>

                """
        )
    }

    @Test func existingDefinitionIsReused() {
        var definitions = SVGDefinitions()
        let circle = SVGElement(.circle, [.r: 1])
        let first = definitions.addClip(circle)
        #expect(first == "url(#part-1)")
        #expect(definitions.addClip(SVGElement(.circle, [.r: 2])) == "url(#part-2)")
        #expect(definitions.addClip(circle) == first)
    }

    @Test(arguments: Trials.seeds(50)) func writtenTextIsReadBack(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = HostileText.any(&generator)
        var document = SVGDocument(
            size: ExactLayoutSize(width: Points(10), height: Points(10)),
            label: text,
            language: .english
        )
        document.contents = [SVGElement(.text, [.fill: text], text: text)]
        let parsed = try ParsedXML(document.xml)
        let expected = text.unicodeScalars.map { HostileText.isXML($0) ? $0 : "\u{FFFD}" }
        #expect(parsed.text(of: "title").map { Array($0.unicodeScalars) } == expected)
        let fill = parsed.elements.last?.attributes["fill"]
        #expect(fill.map { Array($0.unicodeScalars) } == expected)
    }
}
