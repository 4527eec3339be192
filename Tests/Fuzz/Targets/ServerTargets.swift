extension FuzzTarget {
    /// The targets that call modules of `Server`.
    static let server = [
        bodies, courier, acknowledgements, provider, frames, clientFrames, proxy, queries, paths, hosts, headers,
        providerTokens, certificates, authorityFiles, privateKeys, storeRecords, eventMessages,
    ]
}
