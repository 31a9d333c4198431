# The largest download of the package "binnacle" in bytes, for scripts that source this file.
# shellcheck shell=sh disable=SC2034
download_max=${DOWNLOAD_MAX:-12000000}
