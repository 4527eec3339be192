import ArgumentParser
import Testing

@testable import AdminCommands

/// Valid and invalid combinations of the options of `waypost links`.
@Suite struct LinksOptionsTests {
    private static let file = ["--association", "file.json"]

    @Test(arguments: [
        file, file + ["--url", "https://a.example"], file + ["urls.txt", "-"], file + ["--app", "a", "--domain", "b"],
        file + ["--language", "en", "--region", "US"], file + ["--language", "YUE", "--region", "gb"],
        file + ["--trace", "--format", "json"], ["--association", "-", "--url", "https://a.example"],
        ["--association", "-", "urls.txt"],
    ])
    func validMatchOptionsAreAccepted(_ arguments: [String]) throws {
        _ = try LinksMatchCommand.parse(arguments)
    }

    @Test(arguments: [
        ([], "--association"),
        (file + ["--url", "https://a.example", "urls.txt"], "--url cannot be combined with files"),
        (file + ["--language", "xx"], "--language 'xx' is not an ISO language code"),
        (file + ["--language", ""], "--language '' is not"),
        (file + ["--language", "en-US"], "is not an ISO language code"),
        (file + ["--region", "UK"], "--region 'UK' is not an ISO region code"),
        (file + ["--region", "us-ca"], "is not an ISO region code"), (file + ["--format", "yaml"], "yaml"),
        (["--association", "-"], "standard input cannot be both"),
    ])
    func invalidMatchOptionsAreRefused(_ arguments: [String], _ message: String) throws {
        try expectRefusal(of: LinksMatchCommand.self, arguments, message)
    }

    @Test(arguments: [
        file, ["--association", "-"], ["--fetch", "a.example"], ["file.json"],
        ["--fetch", "a.example", "--from", "http://127.0.0.1:8080", "--format", "table"],
        ["file.json", "--app", "ABCDE12345.com.example.app"],
        ["--fetch", "a.example", "--app", "HOGE.com.example.app"],
        ["--fetch", "a.example", "--cdn", "https://app-site-association.cdn-apple.com"],
    ])
    func validCheckOptionsAreAccepted(_ arguments: [String]) throws {
        _ = try LinksCheckCommand.parse(arguments)
    }

    @Test(arguments: [
        ([], "give exactly one of a file, --association and --fetch"),
        (file + ["--fetch", "a.example"], "give exactly one of a file, --association and --fetch"),
        (file + ["--from", "http://127.0.0.1"], "--from requires --fetch"),
        (file + ["--cdn", "http://127.0.0.1"], "--cdn requires --fetch"),
        (file + ["other.json"], "give exactly one of a file, --association and --fetch"),
        (file + ["--app", "com.example.app"], "--app: 'com.example.app' has no prefix"),
        (file + ["--app", "ABCDE12345.com.example.*"], "cannot have '*'"),
        (file + ["--app", ""], "--app: '' is not an application identifier"),
    ])
    func invalidCheckOptionsAreRefused(_ arguments: [String], _ message: String) throws {
        try expectRefusal(of: LinksCheckCommand.self, arguments, message)
    }
}
