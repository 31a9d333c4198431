#!/bin/bash
# Has gpsbabel and GDAL read the exports of recordings: check-exports.sh BIN_FOLDER RECORDINGS
# Each format must have as many positions as the track has rows, and the same extent in GDAL.
set -euo pipefail
bin=$1
recordings=$2
work=build/exports
rm -rf "$work"
mkdir -p "$work"
if ! ls "$recordings"/* >/dev/null 2>&1; then
  echo "check-exports: there are no recordings in $recordings; HACKING.md, Recordings, says where they are looked for"
  exit 1
fi

# positions FILE: the number of positions in a GPX document that gpsbabel has written.
positions() { grep -c -E '<(trkpt|rtept|wpt) ' "$1" || true; }

failures=0
fail() {
  echo "check-exports: $*"
  failures=$((failures + 1))
}

count=0
for recording in "$recordings"/*; do
  name=$(basename "$recording")
  rows=$("$bin/binnacle" track "$recording" 2>/dev/null | wc -l)
  [ "$rows" -gt 0 ] || continue
  count=$((count + 1))
  for format in gpx kml geojson; do
    file=$work/$name.$format
    "$bin/binnacle" track "$recording" "--$format" -o "$file" 2>/dev/null || fail "$name: --$format"
    if [ "$format" != geojson ]; then
      xmllint --noout "$file" || fail "$name: $format is no XML"
    else
      python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$file" || fail "$name: no JSON"
    fi
    # gpsbabel takes a feature of one point as a waypoint.
    gpsbabel -t -r -w -i "$format" -f "$file" -o gpx -F "$work/again.gpx" || fail "$name: gpsbabel $format"
    found=$(positions "$work/again.gpx")
    [ "$found" = "$rows" ] || fail "$name: gpsbabel found $found of $rows positions in the $format"
    # The layer of the points has them one by one; the other formats have lines.
    layer=
    [ "$format" != gpx ] || layer=track_points
    # shellcheck disable=SC2086
    ogrinfo -ro -so -al "$file" $layer >"$work/ogr" 2>&1 || fail "$name: GDAL $format"
    grep -q -E '^(ERROR|FAILURE)' "$work/ogr" && fail "$name: GDAL $format: $(grep -E -m 1 '^(ERROR|FAILURE)' "$work/ogr")"
    grep -m 1 '^Extent' "$work/ogr" >"$work/extent-$format" || fail "$name: GDAL found nothing in the $format"
  done
  cmp -s "$work/extent-gpx" "$work/extent-kml" || fail "$name: GPX and KML have different extents"
  cmp -s "$work/extent-gpx" "$work/extent-geojson" || fail "$name: GPX and GeoJSON have different extents"
done
if [ "$failures" != 0 ]; then
  echo "check-exports: $failures failures"
  exit 1
fi
echo "check-exports: gpsbabel and GDAL read the exports of $count recordings"
