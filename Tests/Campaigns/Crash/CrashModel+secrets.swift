/// Rules about the secrets of receivers.
extension CrashModel {
    /// Records that a request to replace the secret of a receiver begins.
    mutating func beginSecretRotation(of receiver: String) {
        confirmedRotations.remove(receiver)
    }

    /// Records that the gateway confirmed the new secret of a receiver.
    mutating func confirmSecretRotation(of receiver: String) {
        countOperation()
        confirmedRotations.insert(receiver)
    }

    /// Records which secrets the gateway accepts while no request to replace them is under way.
    ///
    /// Exactly one of the two is accepted, and the new one once that was confirmed or seen.
    mutating func checkSecrets(of receiver: String, acceptsEarlier: Bool, acceptsNew: Bool) {
        countOperation()
        switch (acceptsEarlier, acceptsNew) {
        case (false, false): report("\(receiver): neither the earlier nor the new secret is accepted")
        case (true, true): report("\(receiver): the earlier and the new secret are both accepted")
        case (true, false):
            guard confirmedRotations.contains(receiver) else { return }
            report("\(receiver): the earlier secret is accepted, and the new one was confirmed")
        case (false, true): confirmedRotations.insert(receiver)
        }
    }
}
