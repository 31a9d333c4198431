import BinnacleBasics
import Glibc
import Testing

/// Our functions beside the C library's, over random arguments and at every edge.
struct MathTests {
  private static let count = 1_000_000

  @Test func sineAndCosineAgreeWithTheCLibrary() {
    var random = Random(seed: 1)
    var worst = 0.0
    for index in 0..<MathTests.count {
      let range = index % 2 == 0 ? 7.0 : 1_000_000.0
      let angle = (random.unit() * 2 - 1) * range
      worst = max(worst, error(sine(angle), Glibc.sin(angle)))
      worst = max(worst, error(cosine(angle), Glibc.cos(angle)))
    }
    #expect(worst <= 1)
  }

  @Test func nothingIsLostNearMultiplesOfAQuarterTurn() {
    var worst = 0.0
    for quarter in stride(from: -400_000, through: 400_000, by: 7) {
      let axis = Double(quarter) * (.pi / 2)
      for angle in [axis.nextDown, axis, axis.nextUp, axis + 1e-9, axis + .pi / 4] {
        worst = max(worst, error(sine(angle), Glibc.sin(angle)))
        worst = max(worst, error(cosine(angle), Glibc.cos(angle)))
      }
    }
    #expect(worst <= 1)
  }

  @Test func degreesAreExactAtMultiplesOfNinety() {
    for turn in -50_000...50_000 {
      let start = Double(turn) * 360
      #expect(sine(degrees: start) == 0 && cosine(degrees: start) == 1)
      #expect(sine(degrees: start + 90) == 1 && cosine(degrees: start + 90) == 0)
      #expect(sine(degrees: start + 180) == 0 && cosine(degrees: start + 180) == -1)
      #expect(sine(degrees: start + 270) == -1 && cosine(degrees: start + 270) == 0)
    }
    #expect(error(sine(degrees: 30), 0.5) <= 1)
    #expect(
      sine(degrees: 45) == cosine(degrees: 45) || error(sine(degrees: 45), 0.5.squareRoot()) <= 1)
  }

  @Test func degreesAgreeWithTheWiderArithmeticOfTheCLibrary() {
    var random = Random(seed: 2)
    var worst = 0.0
    for _ in 0..<MathTests.count {
      let degrees = (random.unit() * 2 - 1) * 45
      // The angle in radians has an error of its own: its slope times it is allowed for.
      let radians = degrees * (.pi / 180)
      let slack = Glibc.cos(radians) * radians.ulp
      let distance = (sine(degrees: degrees) - Glibc.sin(radians)).magnitude
      worst = max(worst, distance / (Glibc.sin(radians).ulp + slack))
    }
    #expect(worst <= 2)
  }

  @Test func theArcTangentAgreesWithTheCLibrary() {
    var random = Random(seed: 3)
    var worst = 0.0
    for index in 0..<MathTests.count {
      let scale =
        index % 2 == 0 ? 1.0 : Double(sign: .plus, exponent: index % 80 - 40, significand: 1)
      let y = random.normal() * scale
      let x = random.normal()
      worst = max(worst, error(arcTangent2(y, x), Glibc.atan2(y, x)))
    }
    #expect(worst <= 1)
  }

  @Test func theArcTangentTreatsSpecialValuesAsTheCLibraryDoes() {
    let values: [Double] = [
      0, -0.0, 1, -1, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, -.leastNormalMagnitude, 1e-300, -1e300,
    ]
    for y in values {
      for x in values {
        let ours = arcTangent2(y, x)
        let theirs = Glibc.atan2(y, x)
        #expect(
          ours.isNaN ? theirs.isNaN : ours == theirs && ours.sign == theirs.sign, "\(y), \(x)")
      }
    }
  }

  @Test func theArcTangentInDegreesIsExactOnAxesAndDiagonals() {
    for size in [1e-300, 0.1, 1, 3, 6_378_137, 1e300] {
      #expect(arcTangent2Degrees(0, size) == 0)
      #expect(arcTangent2Degrees(size, size) == 45)
      #expect(arcTangent2Degrees(size, 0) == 90)
      #expect(arcTangent2Degrees(size, -size) == 135)
      #expect(arcTangent2Degrees(0, -size) == 180)
      #expect(arcTangent2Degrees(-0.0, -size) == -180)
      #expect(arcTangent2Degrees(-size, -size) == -135)
      #expect(arcTangent2Degrees(-size, 0) == -90)
    }
  }

  @Test func anglesSurviveConversionToDegreesAndBack() {
    var random = Random(seed: 4)
    var worst = 0.0
    for _ in 0..<MathTests.count {
      let degrees = (random.unit() * 2 - 1) * 180
      let back = arcTangent2Degrees(sine(degrees: degrees), cosine(degrees: degrees))
      worst = max(worst, (back - degrees).magnitude)
    }
    #expect(worst <= 180 * 0x1p-52)
  }

  @Test func theCubeRootAgreesWithTheCLibrary() {
    var random = Random(seed: 5)
    var worst = 0.0
    for index in 0..<MathTests.count {
      let number = Double(
        sign: index % 2 == 0 ? .plus : .minus, exponent: index % 2_000 - 1_000,
        significand: 1 + random.unit())
      worst = max(worst, error(cubeRoot(number), Glibc.cbrt(number)))
    }
    // The manual of the C library allows its own cube root an error of four units.
    #expect(worst <= 4)
    for root in stride(from: 1.0, through: 200_000, by: 1) {
      #expect(cubeRoot(root * root * root) == root)
    }
    #expect(cubeRoot(27) == 3 && cubeRoot(-0.001) == -0.1 && cubeRoot(0) == 0)
    #expect(cubeRoot(.leastNonzeroMagnitude * 8) == 0x1p-357)
  }

  @Test func notANumberStaysNotANumber() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(sine(value).isNaN && cosine(value).isNaN)
      #expect(sine(degrees: value).isNaN && cosine(degrees: value).isNaN)
    }
    #expect(sine(-0.0).sign == .minus && sine(degrees: -0.0).sign == .minus)
    #expect(cubeRoot(.infinity) == .infinity && cubeRoot(.nan).isNaN)
    #expect(sine(degrees: .leastNonzeroMagnitude * 1_000) > 0)
  }

  /// The distance in units in the last place.
  private func error(_ ours: Double, _ theirs: Double) -> Double {
    ours == theirs ? 0 : (ours - theirs).magnitude / theirs.ulp
  }
}
