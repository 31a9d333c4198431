public import Foundation

/// A direction of a compass; no board has a compass today, so there are no objects of this class.
open class CLHeading: NSObject, @unchecked Sendable {}

/// A stay at a place; visits are not available yet, so there are no objects of this class.
open class CLVisit: NSObject, @unchecked Sendable {}
