/// The user's decision about the location for an app (`CLAuthorizationStatus`).
public enum LocationAuthorization: String, StringEnum {
    /// The user has not been asked.
    case notDetermined

    /// The app may not use the location, and the user cannot change that.
    case restricted

    /// The app may not use the location.
    case denied

    /// The app may use the location at any time.
    case authorizedAlways

    /// The app may use the location while the user uses the app.
    case authorizedWhenInUse
}
