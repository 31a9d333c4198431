/// Shortest paths on the WGS 84 ellipsoid.
public enum Geodesic {}
