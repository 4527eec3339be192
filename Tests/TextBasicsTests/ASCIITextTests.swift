import Testing
import TextBasics

/// Text in ASCII inside of other text.
@Suite struct ASCIITextTests {
    @Test(
        arguments: [
            ("api.push.apple.com", true), ("API.Push.Apple.COM:443", true), ("push.apple.com", true),
            ("ppush.apple.com", true), ("ä.push.apple.com", true),
            ("push.apple.co", false), ("push-apple.com.example", false), ("", false),
        ]
    )
    func textIsFoundInAnyCase(_ text: String, isFound: Bool) {
        #expect(text.containsASCII("push.apple.com") == isFound)
    }
}
