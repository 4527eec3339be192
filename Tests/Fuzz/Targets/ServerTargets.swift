extension FuzzTarget {
    /// The targets that call modules of `Server`.
    static let server = [bodies, courier, acknowledgements, provider, frames, proxy, providerTokens, certificates]
}
