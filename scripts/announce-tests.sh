#!/bin/sh
# Says before the wait how long "make test" takes and what it costs: announce-tests.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
if [ -d .build/debug ]; then
  echo "test: up to 4 minutes of tests on 2 quiet cores, after building what has changed"
else
  echo "test: about 10 minutes on 2 quiet cores: 6 of building everything, then up to 4 of tests"
  echo "test: needs 2.6 GB of disk, most of that for Swift where it is not installed yet"
fi
echo "test: the whole output goes to $1; the progress is shown here"
