// Files that import Core Location alone use NSObject, Date and UUID, as they can on Apple's systems.
@_exported public import Foundation
