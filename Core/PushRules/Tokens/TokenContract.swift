package import WaypostSchema

/// The life of the tokens of one kind: the call that returns them, what changes them, and what an old one answers.
///
/// `all` is the table, from which those in docs/notifications.md are made. An old token is one that no app has now.
package struct TokenContract: Sendable {
    /// The kind.
    package let kind: TokenPurpose.Kind

    // MARK: The origin of a token

    /// The call that gives it.
    package let call: Rule<String>

    /// The entitlement, permission or state without which there is none.
    package let needs: Rule<String>

    /// The things of which each has a token of its own.
    package let scope: Rule<String>

    /// The time at which the app has it.
    package let appearance: Rule<String>

    /// The number of hexadecimal digits.
    package let length: Rule<String>

    // MARK: What changes it

    /// The token after an update of the app.
    package let update: Rule<String>

    /// The token after the app was deleted.
    package let uninstallation: Rule<String>

    /// The token after the app was deleted and installed again.
    package let reinstallation: Rule<String>

    /// The token after a backup was restored, on the same or another device.
    package let restoration: Rule<String>

    /// The other occasions on which it changes.
    package let rotation: Rule<String>

    /// The token of a build for the other environment.
    package let environment: Rule<String>

    // MARK: Afterwards

    /// The answer to a push for the old token.
    package let oldToken: Rule<String>
}
