extension FuzzTarget {
    /// The targets that call the agent, its files and its pictures.
    static let agent = [
        journals, journalFiles, savedStates, deviceFolders, replays, wireTypes, deviceFiles, appFiles, scenarioFiles,
        fleetFiles, profileFiles, settingsFiles, writtenTexts, stepLines, eventStreams, metrics, pictures, photos,
        scenes, pushPayloads,
    ]
}
