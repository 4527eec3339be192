import Foundation

/// Evaluates the script of a page in headless Chromium.
package enum BrowserResult {
    /// A function to call at the end of a script: it writes a value into the page, as JSON in Base64.
    ///
    /// The page needs an element whose identifier is `result`.
    package static let function = """
        function finish(value) {
          const bytes = new TextEncoder().encode(JSON.stringify(value));
          const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
          document.getElementById('result').textContent = 'RESULT[' + btoa(text) + ']';
        }
        """

    /// Loads a page in Chromium and returns the value that its script gave to `finish`.
    package static func evaluate<Value: Decodable>(_ html: String, as type: Value.Type) async throws -> Value {
        let folder = try ScratchFolder()
        let page = try folder.write(Data(html.utf8), to: "page.html")
        let document = try await ExternalCommand.run([
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--user-data-dir=\(folder.path(of: "profile"))", "--virtual-time-budget=60000", "--dump-dom",
            "file://\(page)",
        ])
        let text = String(decoding: document, as: UTF8.self)
        guard let match = text.firstMatch(of: /RESULT\[([A-Za-z0-9+\/=]*)\]/),
            let json = Data(base64Encoded: String(match.1))
        else {
            throw MissingResult(page: String(text.suffix(500)))
        }
        return try JSONDecoder().decode(type, from: json)
    }

    /// The error for a page without a result, with the last characters of the page.
    package struct MissingResult: Error {
        let page: String
    }
}
