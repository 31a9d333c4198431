#!/bin/sh
# Runs the bench over what "make install" installs: test.sh [SCENARIO], which may be a pattern such as 'line-*'
# BENCH_CUTS says how often scenarios with a number of power cuts have them, BENCH_FOLDER where they are, else scenarios.
# Without a kernel it says so and ends well, unless BINNACLE_REQUIRE names the bench.
set -eu
cd "$(dirname "$0")/.."
scenario=${1-}

# Its last line is the folder, or why there is none.
if ! kernel=$(Bench/kernel/find.sh 2>&1 | tail -n 1) || [ ! -d "$kernel" ]; then
  why=${kernel#bench: }
  why=${why:-there is no kernel}
  case ",${BINNACLE_REQUIRE-}," in
  *,bench,*)
    echo "bench: $why, and BINNACLE_REQUIRE=$BINNACLE_REQUIRE wants it; 'make bench-kernel' builds one" >&2
    exit 1
    ;;
  esac
  echo "bench: skipped, $why; 'make bench-kernel' builds one in about 20 minutes"
  exit 0
fi
scripts/install-packages.sh bench

mkdir -p build/bench
"${MAKE:-make}" --no-print-directory example >build/bench/example.log 2>&1 || { cat build/bench/example.log; exit 1; }
rm -rf build/bench/root
"${MAKE:-make}" --no-print-directory install DESTDIR="$PWD/build/bench/root" PREFIX=/usr >build/bench/install.log 2>&1 ||
  { cat build/bench/install.log; exit 1; }
# Another libgpiod than the host's goes where the guest's programs find it first.
if [ -n "${BINNACLE_GPIOD-}" ]; then
  for library in "$BINNACLE_GPIOD"/usr/lib/*/libgpiod.so.3*; do
    to=build/bench/root/usr/lib/$(basename "$(dirname "$library")")
    mkdir -p "$to"
    cp -a "$library" "$to"
  done
fi
mkdir -p build/bench/guest
for source in Bench/guest/*.c; do
  program=build/bench/guest/$(basename "$source" .c)
  [ "$program" -nt "$source" ] || cc -static -O2 -Wall -Wextra -Werror -o "$program" "$source"
done
for source in Bench/guest/preload/*.c; do
  library=build/bench/guest/$(basename "$source" .c).so
  [ "$library" -nt "$source" ] || cc -shared -fPIC -O2 -Wall -Wextra -Werror -o "$library" "$source"
done
exec /usr/bin/python3 Bench/run.py --kernel "$kernel" --root build/bench/root --guest build/bench/guest \
  --work build/bench/work ${BENCH_CUTS:+--cuts "$BENCH_CUTS"} \
  ${BENCH_FOLDER:+--folder "$BENCH_FOLDER"} ${scenario:+"$scenario"}
