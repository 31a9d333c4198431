// Files that import Core Location alone use NSObject, Date and UUID, as they can on Apple's systems.
@_exported public import Foundation

#if BINNACLE_TOOLSET_IN_USE
  #error(
    "Binnacle's toolset brings a CoreLocation of its own, and this package graph lists the package binnacle, too. Use one: leave --toolset away, or take binnacle out of Package.swift."
  )
#endif
