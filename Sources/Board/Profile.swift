/// A board profile.
public struct Profile {}
