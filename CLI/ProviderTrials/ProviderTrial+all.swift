extension ProviderTrial {
    /// All trials: of provider tokens, connections, answers and messages, in this order.
    package static let all =
        tokenTrials + connectionTrials + answerTrials + messageTrials + [payloadSize, trustChange, liveActivityLife]
}
