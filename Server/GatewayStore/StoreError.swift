/// The reason why a store operation failed; nothing has changed then, except after `outcomeUnknown`.
package enum StoreError: Error, Sendable, Equatable {
    /// The store cannot be reached.
    case unavailable

    /// The outcome of the commit is not known: the change may be stored or not.
    case outcomeUnknown

    /// The disk is full.
    case full

    /// The store's files cannot be written.
    case readOnly

    /// The store's files were removed or replaced while the gateway ran.
    case moved

    /// Another program has locked the store's files.
    case busy

    /// Too many changes are waiting to be written.
    case overloaded

    /// The store failed; the text is for the log.
    case failed(String)
}
