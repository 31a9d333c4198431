import BinnacleBasics
import BinnacleModel
import TestSupport
import Testing

@testable import Drawing

struct ReportPageTests {
  private static let hostile = "</td></title><script src=http://x.test/>&\"'\u{202E}\u{1B}[2J"

  private var page: ReportPage {
    var page = ReportPage(
      title: Self.hostile, made: UTCTime(secondsSince1970: 1_795_256_100), creator: Self.hostile)
    let sky = Sky(satellites: [Satellite(constellation: .gps, number: 1)])
    page.add(
      Self.hostile, wide: SkyPicture(sky).figure, narrow: SkyPicture(sky, width: 400).figure)
    page.add("Track", missing: Self.hostile)
    page.add("Problems", sentences: [Self.hostile])
    page.add("Facts", facts: [(Self.hostile, Self.hostile)])
    page.add("All", facts: [(Self.hostile, Self.hostile)], isFolded: true)
    return page
  }

  @Test func thePageLoadsNothing() {
    let text = page.document
    #expect(text.contains("default-src 'none'"))
    for part in ["<script", " src=", " href=", "url(", "@import", "<link", "<img", "<iframe"] {
      let isAbsent = !text.replacing("&lt;script src=", with: "").contains(part)
      #expect(isAbsent, "\(part)")
    }
  }

  @Test func textFromOutsideStaysText() {
    let text = page.document
    #expect(ForeignText.remains(in: text) == [])
    #expect(text.contains("&lt;/td&gt;&lt;/title&gt;"))
  }

  @Test func thePageFitsPhonesAndDarkScreens() {
    let text = page.document
    #expect(text.contains("name=\"viewport\" content=\"width=device-width, initial-scale=1\""))
    #expect(text.contains("<svg class=\"wide\"") && text.contains("<svg class=\"narrow\""))
    #expect(text.contains("@media (max-width:600px)"))
    #expect(text.contains("@media (prefers-color-scheme:dark)"))
  }
}
