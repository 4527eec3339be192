import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// `waypost attribution render` and `waypost shelf render`, with the journal of `docs/attribution.md`.
@Suite(.timeLimit(.minutes(5))) struct AttributionCommandTests {
    private static let pictures = Repository.root.appending(path: "docs/pictures")
    private static let club = "https://tv.example/films/1919"
    private static let chicago = "https://tv.example/lists/top-25-chicago"

    private func render(_ url: String, _ arguments: String...) async throws -> Program.Result {
        let journal = Self.pictures.appending(path: "journal.jsonl").path
        return try await Program.run("waypost", ["attribution", "render", journal, "--url", url] + arguments)
    }

    private func shelf(_ arguments: String...) async throws -> Program.Result {
        let journal = Self.pictures.appending(path: "journal.jsonl").path
        let previews = Self.pictures.appending(path: "previews.jsonl").path
        let app = ["--app", "com.example.tv", "--previews", previews]
        return try await Program.run("waypost", ["shelf", "render", journal] + app + arguments)
    }

    @Test(arguments: [
        ("en", "(EP)(SK)(JV) Enrique, Sarah, and 5 others\n"), ("zh-CN", "(EP)(SK)(JV) Enrique、Sarah和另外5人\n"),
        ("ja", "(EP)(SK)(JV) Enrique、Sarah、ほか5人\n"), ("ko-KR", "(EP)(SK)(JV) Enrique, Sarah 외 5명\n"),
    ])
    func textIsInTheRequestedLanguage(_ locale: String, _ text: String) async throws {
        let result = try await render(Self.club, "--locale", locale, "--format", "table")
        #expect(result.status == 0)
        #expect(result.output == text)
        #expect(result.errors.isEmpty)
    }

    @Test func pictureIsAnSVGOfTheSizeInTheReport() async throws {
        let answer = try await render(Self.club, "--width", "180", "--content-size-category", "XL")
        let report = try JSONDecoder().decode(AttributionReport.self, from: Data(answer.output.utf8))
        #expect(report.outcome == .truncated)
        #expect(report.contentSizeCategory == .extraLarge)
        let picture = try await render(Self.club, "--width", "180", "--content-size-category", "xLarge", "--svg")
        #expect(picture.output.contains(#"width="180""#))
        #expect(picture.output.contains(#"height="\#(Self.text(report.size.height))""#))
        #expect(report.size.width == 180)
    }

    private static func text(_ length: Double) -> String {
        length == length.rounded() ? "\(Int(length))" : "\(length)"
    }

    @Test func everyPreferenceIsAnOption() async throws {
        let result = try await render(
            Self.club,
            "--display-context",
            "detail",
            "--horizontal-alignment",
            "trailing",
            "--background-style",
            "default",
            "--preferred-max-layout-width",
            "400",
            "--width",
            "420.5",
            "--height",
            "20",
            "--minimum-content-size-category",
            "accessibility1",
            "--maximum-content-size-category",
            "large",
            "--menu-title-for-hide-action",
            "Delete",
            "--supplemental-menu-item",
            "Download",
            "--format",
            "json"
        )
        #expect(result.status == 0, "\(result.errors)")
        let report = try JSONDecoder().decode(AttributionReport.self, from: Data(result.output.utf8))
        #expect(report.backgroundStyle == .color)
        #expect(report.size == LayoutSize(width: 420.5, height: 20))
        #expect(report.outcome == .clipped)
        #expect(report.contentSizeCategory == .large)
        #expect(
            Set(report.findings.map(\.code)) == [.minimumAboveMaximum, .heightTooSmall, .hideTitleWithoutRemove]
        )
    }

    @Test func findingsAreWrittenToStandardError() async throws {
        let result = try await render(Self.club, "--height", "20", "--svg")
        #expect(result.status == 0)
        #expect(result.errors.hasPrefix("waypost: height: "))
        #expect(result.output.hasPrefix("<"))
    }

    @Test func reportHasARowForEachLanguageSizeAndWidth() async throws {
        let result = try await render(Self.club, "--report", "--widths", "80,200.5")
        #expect(result.status == 0)
        #expect(result.output.split(separator: "\n").count == 96)
        let table = try await render(Self.club, "--report", "--format", "table")
        #expect(table.output.split(separator: "\n").count == 146)
        #expect(!table.output.unicodeScalars.contains("\u{2068}"))
    }

    @Test func missingHighlightNamesTheGate() async throws {
        let result = try await render("https://tv.example/films/2020", "--svg")
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("com.example.tv has no highlight for"))
        #expect(result.errors.contains("messageSeen"))
    }

    @Test func menusAreInTheRequestedLanguage() async throws {
        let menu = try await render(
            Self.chicago,
            "--show",
            "menu",
            "--locale",
            "ja",
            "--supplemental-menu-item",
            "ダウンロード"
        )
        #expect(["返信", "削除", "ダウンロード"].allSatisfy(menu.output.contains))
        let choice = try await render(Self.chicago, "--show", "disambiguation", "--locale", "ko")
        #expect(["Sarah", "Enrique", "취소"].allSatisfy(choice.output.contains))
        let offer = try await render(Self.chicago, "--show", "offer", "--locale", "zh", "--svg")
        #expect(["Town TV", "启用"].allSatisfy(offer.output.contains))
    }

    @Test(arguments: [
        ["--svg", "--backdrop", "colorful", "--style", "dark"], ["--show", "menu", "--locale", "ja"],
        ["--show", "offer", "--svg"], ["--report", "--widths", "80"], ["--width", "180", "--format", "json"],
    ])
    func commandOfDevicesDrawsTheSameFromTheJournal(_ arguments: [String]) async throws {
        let journal = Self.pictures.appending(path: "journal.jsonl").path
        let device = ["device", "attribution", Self.chicago, "--journal", journal]
        let result = try await Program.run("waypost", device + arguments)
        let render = ["attribution", "render", journal, "--url", Self.chicago]
        let earlier = try await Program.run("waypost", render + arguments)
        #expect(result.status == 0 && !result.output.isEmpty, "\(result.errors)")
        #expect(result.output == earlier.output)
    }

    @Test func requestedViewIsFoundByItsHandle() async throws {
        let journal = try String(contentsOf: Self.pictures.appending(path: "journal.jsonl"), encoding: .utf8)
        let request =
            #"{"at":1654700000000,"type":"attributionRequested","app":"com.example.tv","view":"handle","url":"\#(Self.club)","preferences":{"width":180}}"#
        let result = try await Program.run(
            "waypost",
            ["attribution", "render", "--view", "handle", "--format", "table"],
            input: journal + request + "\n"
        )
        #expect(result.output == "(EP)(SK)(JV) Enrique +6\n", "\(result.errors)")
        let other = try await Program.run("waypost", ["attribution", "render", "--view", "other"], input: journal)
        #expect(other.status == 1)
        #expect(other.errors.contains("'other'"))
    }

    @Test(arguments: [
        ["--url", "x", "--view", "y"], [], ["--url", "x", "--style", "blue"], ["--url", "x", "--width", "-1"],
        ["--url", "x", "--content-size-category", "huge"], ["--url", "x", "--report", "--svg"],
        ["--url", "x", "--widths", "80"], ["--url", "x", "--report", "--widths", "80,a"],
        ["--url", "x", "--svg", "--format", "json"], ["--url", "x", "--show", "menu", "--format", "json"],
        ["--url", "x", "--locale", "English"], ["--url", "x", "--svg", "--show", "menu", "--backdrop", "colorful"],
    ])
    func invalidCombinationsOfArgumentsAreRefused(_ arguments: [String]) async throws {
        let result = try await Program.run("waypost", ["attribution", "render"] + arguments)
        #expect(result.status == 64, "\(result.output)")
        #expect(result.output.isEmpty)
    }

    @Test(.proves("B10", "B13", "B17")) func shelfShowsItemsWithPreviewsAndAShowMore() async throws {
        let result = try await shelf("--after", "2")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("Shared with You\n"))
        #expect(result.output.contains("Nineteen nineteen\n   Film · 1 h 52 min\n   (EP)(SK)(JV) Enrique"))
        #expect(result.output.contains("Top 25: Chicago\n   (SK)(EP) Sarah and Enrique  [Pinned]"))
        #expect(result.output.contains("Show More") && !result.output.contains("films/odd"))
        let all = try await shelf("--all")
        #expect(all.output.contains("films/odd") && !all.output.contains("Show More"))
        let picture = try await shelf("--locale", "ko", "--after", "1", "--svg")
        #expect(picture.output.contains("나와 공유된 항목") && picture.output.contains("더 보기"))
    }

    @Test func shelfOfAnUnknownAppIsRefused() async throws {
        let journal = Self.pictures.appending(path: "journal.jsonl").path
        let result = try await Program.run("waypost", ["shelf", "render", journal, "--app", "com.example.other"])
        #expect(result.status == 2)
        #expect(result.errors.contains("com.example.tv"))
        let empty = try await Program.run(
            "waypost",
            ["shelf", "render", journal, "--app", "com.example.tv", "--at", "1654594800000"]
        )
        #expect(empty.status == 1)
        #expect(empty.output.isEmpty && !empty.errors.isEmpty)
    }

    @Test func everyPictureOnThePageHasItsCommand() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/attribution.md"), encoding: .utf8)
        let drawn = page.matches(of: /(?m)^    waypost .* > docs\/pictures\/(.*\.svg)$/).map { String($0.output.1) }
        let shown = page.matches(of: /\]\(pictures\/(.*?\.svg)\)/).map { String($0.output.1) }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.pictures.path)
        #expect(drawn.count == Set(drawn).count && drawn.count > 15)
        #expect(Set(drawn) == Set(shown))
        #expect(Set(drawn) == Set(files.filter { $0.hasSuffix(".svg") }))
    }
}
