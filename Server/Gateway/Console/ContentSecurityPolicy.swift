/// The policies that the gateway sends to browsers (Content Security Policy Level 3).
enum ContentSecurityPolicy {
    /// The policy of the console.
    ///
    /// Scripts and styles come from this listener only, nothing else is loaded, no text becomes markup, and no other
    /// page can show this one.
    static let console = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types 'none'
        """

    /// The policy of an answer that an agent wrote.
    ///
    /// A browser that opens the answer as a page gives it an origin of its own and runs no script.
    static let agentAnswer = console + "; sandbox"
}
